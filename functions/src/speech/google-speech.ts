import * as v from 'valibot';
import { resultFromFailure, resultFromStatus } from './result-over-http.ts';
import type { Audio, TranscriptionResult, SpeechEngine, SpeechHints } from './speech-engine.ts';

export interface GoogleSpeechDeps {
  readonly projectId: string;
  /** An OAuth token with the scope of the cloud platform. */
  readonly accessToken: () => Promise<string>;
  /** `global`, or a region. */
  readonly location?: string;
  readonly model?: string;
  /** Replaces the host in tests. */
  readonly origin?: string;
}

const defaultLanguage = 'en-GB';
/** The boost of a phrase, from 0 to 20; a higher value inserts phrases that were not said. */
const phraseBoost = 10;

/** Google sends results without alternatives for sounds that are no speech. */
const answerSchema = v.object({
  results: v.optional(
    v.array(
      v.object({
        alternatives: v.optional(v.array(v.object({ transcript: v.optional(v.string()) }))),
      }),
    ),
    [],
  ),
});

/**
 * Transcribes by Google Cloud Speech-to-Text, version 2: the first version that detects the encoding, and supports
 * Safari's recordings. The audio is part of the request, which may have 10 MB and a minute of audio.
 */
export function createGoogleSpeech(deps: GoogleSpeechDeps): SpeechEngine {
  const { projectId, location = 'global', model = 'long', accessToken } = deps;
  const region = location === 'global' ? '' : `${location}-`;
  const origin = deps.origin ?? `https://${region}speech.googleapis.com`;
  const recognizer = `projects/${projectId}/locations/${location}/recognizers/_`;

  const ask = async (audio: Audio, hints: SpeechHints, signal: AbortSignal): Promise<Response> =>
    fetch(`${origin}/v2/${recognizer}:recognize`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await accessToken()}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        config: toConfig(model, hints),
        content: Buffer.from(audio.bytes).toString('base64'),
      }),
      signal,
    });

  return {
    name: 'google',
    async transcribe(audio, hints, signal) {
      try {
        let response = await ask(audio, hints, signal);
        // A browser may send a language that the model does not support.
        if (response.status === 400 && hints.language !== defaultLanguage) {
          await response.body?.cancel();
          response = await ask(audio, { ...hints, language: defaultLanguage }, signal);
        }
        if (response.status === 400) return resultFromWords(await response.text());
        if (!response.ok) {
          await response.body?.cancel();
          return resultFromStatus(response);
        }
        return toResult(await response.json());
      } catch {
        return resultFromFailure(signal);
      }
    },
  };
}

const tooLong = /duration|input too long|payload size|audio.*(?:\d seconds|longer|too long)/i;
const unreadable = /audio|encoding/i;

/**
 * Returns the result for a bad request. Google gives all of them the same code, so only its words tell whether the audio
 * is at fault; a language, a model or a project that is wrong in the settings is not, and the notes wait for its mend.
 */
function resultFromWords(words: string): TranscriptionResult {
  const reason = 'http-400';
  if (tooLong.test(words)) return { kind: 'too-large', reason };
  return { kind: unreadable.test(words) ? 'refused' : 'unavailable', reason };
}

function toConfig(model: string, { language, phrases }: SpeechHints) {
  const inlinePhraseSet = { phrases: phrases.map((value) => ({ value, boost: phraseBoost })) };
  return {
    autoDecodingConfig: {},
    languageCodes: [language],
    model,
    features: { enableAutomaticPunctuation: true },
    ...(phrases.length === 0 ? {} : { adaptation: { phraseSets: [{ inlinePhraseSet }] } }),
  };
}

function toResult(json: unknown): TranscriptionResult {
  const parsed = v.safeParse(answerSchema, json);
  if (!parsed.success) return { kind: 'unavailable', reason: 'bad-answer' };
  const texts = parsed.output.results.map(
    ({ alternatives }) => alternatives?.[0]?.transcript ?? '',
  );
  return { kind: 'text', text: texts.join(' ') };
}
