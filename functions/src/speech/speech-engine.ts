import type { AudioType } from './audio-type.ts';

/** One voice note: its file as the owner's device made it. */
export interface Audio {
  readonly bytes: Uint8Array;
  readonly type: AudioType;
  /** The same as 16 kHz mono PCM; null where nothing on this machine can decode it. */
  readonly samples: Int16Array | null;
}

/** What helps to hear right. */
export interface SpeechHints {
  /** What the owner speaks: BCP 47 with a region, as `en-GB`. */
  readonly language: string;
  /** Words that are likely to be said and hard to guess: the dog's name and breed. */
  readonly phrases: readonly string[];
}

/**
 * - `text`: what was said; empty when nobody speaks. `isRough`: by an engine that is often wrong.
 * - `unavailable`: nothing is wrong with the audio, later may go better. `reason` is for the log: a code, never words.
 * - `refused`: this audio will never be heard.
 */
export type TranscriptionResult =
  | { readonly kind: 'text'; readonly text: string; readonly isRough?: boolean }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterS?: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly reason: string };

/**
 * Turns speech into words.
 *
 * - Silence gives an empty text, never invented words.
 * - Once the signal is aborted it stops what it does on this machine, and rejects with the signal's reason. Whatever else
 *   happens is a value of {@link TranscriptionResult}.
 * - Nothing of what is said, and no hint, is logged or kept.
 */
export interface SpeechEngine {
  readonly name: string;
  transcribe(audio: Audio, hints: SpeechHints, signal: AbortSignal): Promise<TranscriptionResult>;
}
