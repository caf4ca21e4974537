import type { AudioType } from './audio-type.ts';

/** One voice note: the file that the owner's device recorded. */
export interface Audio {
  readonly bytes: Uint8Array;
  readonly type: AudioType;
  /** The same audio as 16 kHz mono PCM; null if nothing on this machine can decode it. */
  readonly samples: Int16Array | null;
}

/** Hints that improve recognition. */
export interface SpeechHints {
  /** The owner's language in BCP 47 with a region, as `en-GB`. */
  readonly language: string;
  /** Words that are likely to occur and hard to guess: the pet's name and breed. */
  readonly phrases: readonly string[];
}

/**
 * - `text`: the transcript; empty if nobody speaks. `isRough`: by an engine that is often wrong.
 * - `unavailable`: the audio is fine, and a retry may succeed. `reason` is for the log: a code, never words.
 * - `unknown-language`: the engine does not know the language; a retry succeeds only with another engine.
 * - `refused`: this audio cannot be transcribed; a retry is useless.
 */
export type TranscriptionResult =
  | { readonly kind: 'text'; readonly text: string; readonly isRough?: boolean }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterS?: number }
  | { readonly kind: 'unknown-language' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly reason: string };

/**
 * Transcribes speech.
 *
 * - Silence gives an empty text, never invented words.
 * - Once the signal is aborted it stops its work on this machine, and rejects with the signal's reason. Every other
 *   outcome is a value of {@link TranscriptionResult}.
 * - It neither logs nor keeps the transcript or the hints.
 */
export interface SpeechEngine {
  readonly name: string;
  transcribe(audio: Audio, hints: SpeechHints, signal: AbortSignal): Promise<TranscriptionResult>;
}
