import * as v from 'valibot';
import { soundType } from '../../../schemas/documents/sound-type.ts';
import { resultFromFailure, resultFromStatus } from './result-over-http.ts';
import { toWav } from './pcm.ts';
import type { Audio, TranscriptionResult, SpeechEngine, SpeechHints } from './speech-engine.ts';
import { promptFor, whisperAnswerSchema, whisperLanguage, wordsOf } from './whisper-words.ts';

export interface OpenAiSpeechDeps {
  /** The URL of the server, of its `/v1`, or of the endpoint itself. */
  readonly url: string;
  /** Self-hosted servers need none. */
  readonly apiKey?: string;
  readonly model?: string;
}

/**
 * Transcribes by any server with OpenAI's transcription API: whisper.cpp, faster-whisper, OpenAI and others.
 *
 * - It requests segments with their probabilities; if a server or model refuses that, it requests the plain text.
 * - A language that Whisper does not know is left to the server, which detects it or has a default.
 * - It sends WAV if this machine could decode the audio, since some servers read nothing else.
 */
export function createOpenAiSpeech({
  url,
  apiKey,
  model = 'whisper-1',
}: OpenAiSpeechDeps): SpeechEngine {
  const endpoint = endpointOf(url);
  const authorization = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };

  const ask = (audio: Audio, hints: SpeechHints, options: AskOptions): Promise<Response> => {
    const body = new FormData();
    const { blob, name } = toFile(audio);
    body.set('file', blob, name);
    body.set('model', model);
    body.set('response_format', options.format);
    body.set('temperature', '0');
    const language = whisperLanguage(hints.language);
    if (language !== null) body.set('language', language);
    const prompt = promptFor(hints.phrases);
    if (prompt !== '') body.set('prompt', prompt);
    const { signal } = options;
    return fetch(endpoint, { method: 'POST', headers: authorization, body, signal });
  };

  return {
    name: 'openai',
    async transcribe(audio, hints, signal) {
      try {
        let response = await ask(audio, hints, { format: 'verbose_json', signal });
        if (response.status === 400 || response.status === 422) {
          await response.body?.cancel();
          response = await ask(audio, hints, { format: 'json', signal });
        }
        if (!response.ok) {
          await response.body?.cancel();
          return resultFromStatus(response);
        }
        return toResult(await response.json(), hints);
      } catch {
        return resultFromFailure(signal);
      }
    },
  };
}

interface AskOptions {
  readonly format: 'verbose_json' | 'json';
  readonly signal: AbortSignal;
}

function endpointOf(url: string): string {
  const base = url.replace(/\/+$/, '');
  if (base.endsWith('/transcriptions')) return base;
  return `${base}${base.endsWith('/v1') ? '' : '/v1'}/audio/transcriptions`;
}

function toFile({ bytes, type, samples }: Audio): { readonly blob: Blob; readonly name: string } {
  if (samples !== null)
    return { blob: new Blob([toWav(samples)], { type: 'audio/wav' }), name: 'audio.wav' };
  const blob = new Blob([new Uint8Array(bytes)], { type: soundType(bytes) ?? '' });
  return { blob, name: `audio.${type}` };
}

function toResult(json: unknown, { phrases }: SpeechHints): TranscriptionResult {
  const parsed = v.safeParse(whisperAnswerSchema, json);
  if (!parsed.success) return { kind: 'unavailable', reason: 'bad-answer' };
  return { kind: 'text', text: wordsOf(parsed.output, promptFor(phrases)) };
}
