import * as v from 'valibot';
import { createTaskQueue } from './task-queue.ts';
import { raceSignal } from './race-signal.ts';
import { resultFromFailure } from './result-over-http.ts';
import type { TranscriptionResult, SpeechEngine } from './speech-engine.ts';
import { whisperAnswerSchema, whisperLanguage, wordsOf } from './whisper-words.ts';

export interface LoadedWhisper {
  /** @param samples 16 kHz mono, from -1 to 1. */
  (samples: Float32Array, options: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export interface WhisperSpeechDeps {
  /** An id on Hugging Face, or a folder. Names that end in `.en` are English-only models. */
  readonly model?: string;
  /** Rejects if the package or the model is unavailable. */
  readonly load?: (model: string) => Promise<LoadedWhisper>;
}

const defaultModel = 'onnx-community/whisper-base';
/** The length of the audio that Whisper processes at a time. */
const windowSeconds = 30;

/**
 * Runs Whisper in this process, by transformers.js.
 *
 * - The package is optional and the model is downloaded on first use: without either the result is `unavailable`, and
 *   the next note retries.
 * - Loading continues after the request that started it is aborted.
 * - It uses the language but no phrases.
 */
export function createWhisperSpeech(deps: WhisperSpeechDeps = {}): SpeechEngine {
  const { model = defaultModel, load = loadTransformers } = deps;
  const isEnglishOnly = model.endsWith('.en');
  const enqueue = createTaskQueue(1);
  let loading: Promise<LoadedWhisper> | null = null;
  const loaded = (): Promise<LoadedWhisper> => {
    loading ??= load(model).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    name: 'whisper',
    async transcribe({ samples }, { language }, signal) {
      if (samples === null) return { kind: 'unavailable', reason: 'no-decoder' };
      const known = whisperLanguage(language);
      if (known === null || (isEnglishOnly && known !== 'en')) return { kind: 'unknown-language' };
      let whisper: LoadedWhisper;
      try {
        whisper = await raceSignal(loaded(), signal);
      } catch {
        signal.throwIfAborted();
        return { kind: 'unavailable', reason: 'no-model' };
      }
      const spoken = isEnglishOnly ? {} : { language: known, task: 'transcribe' };
      const options = { chunk_length_s: windowSeconds, ...spoken };
      try {
        const hear = () => whisper(toFloats(samples), options);
        return toResult(await enqueue({ key: 'any', signal }, hear));
      } catch {
        return resultFromFailure(signal);
      }
    },
  };
}

const toFloats = (samples: Int16Array): Float32Array =>
  Float32Array.from(samples, (sample) => sample / 32_768);

function toResult(answer: unknown): TranscriptionResult {
  const parsed = v.safeParse(whisperAnswerSchema, answer);
  if (!parsed.success) return { kind: 'unavailable', reason: 'bad-answer' };
  return { kind: 'text', text: wordsOf(parsed.output) };
}

const transformersSchema = v.object({ pipeline: v.function() });

/** Imports the package by a name that bundlers do not follow, since it is optional. */
async function loadTransformers(model: string): Promise<LoadedWhisper> {
  const name = '@huggingface/transformers';
  const module: unknown = await import(/* @vite-ignore */ name);
  const { pipeline } = v.parse(transformersSchema, module);
  const task: unknown = await pipeline('automatic-speech-recognition', model, { dtype: 'q8' });
  if (typeof task !== 'function') throw new Error('transformers.js has no such pipeline');
  return async (samples, options) => {
    const answer: unknown = await task(samples, options);
    return answer;
  };
}
