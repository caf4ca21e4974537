import * as v from 'valibot';
import type { TranscriptState } from './documents/entry-kinds.ts';
import { noteTextMaxLength } from './limits.ts';

/** Where the function answers at its own address. */
export const transcribeBasePath = '/';

/** Where the page and the worker ask for the words of a voice note, on the app's own origin. */
export const transcribePath = '/api/transcribe';

/** `pets/{petId}/audios/{name}`, as the server's rules have it. */
const audioLocation = /^pets\/([^/]{1,128})\/audios\/[^/]+$/;

export const transcribeRequestSchema = v.object({
  fileLocation: v.pipe(v.string(), v.maxLength(1_024), v.regex(audioLocation)),
  /** What the owner speaks, as BCP 47 has it; without one the Accept-Language of the request counts. */
  language: v.optional(v.pipe(v.string(), v.maxLength(35))),
});

export type TranscribeRequest = v.InferOutput<typeof transcribeRequestSchema>;

/** An empty text: nobody speaks in it. A rough one is by an engine that is often wrong. */
export const transcribeAnswerSchema = v.object({
  text: v.pipe(v.string(), v.maxLength(noteTextMaxLength)),
  rough: v.optional(v.boolean(), false),
});

export type TranscribeAnswer = v.InferOutput<typeof transcribeAnswerSchema>;

/** How far the text of a voice note is once the server has answered. @param answer null: it makes no texts. */
export function transcriptAfter(answer: TranscribeAnswer | null): TranscriptState {
  if (answer === null) return 'unheard';
  if (answer.text.trim() === '') return 'none';
  return answer.rough ? 'rough' : 'done';
}

/** The code of an answer that says that the server has no engine. */
export const noEngineCode = 'words-no-engine';

/**
 * Why there are no words, with the HTTP status of each. The same request is worth repeating after `unauthenticated` with
 * a new token, after `too-many` at the time of Retry-After, and after those of 500 and above.
 */
export const transcribeRefusals = {
  'bad-request': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'not-audio': 415,
  'too-many': 429,
  internal: 500,
  'no-engine': 503,
  'engine-unavailable': 503,
  'timed-out': 504,
} as const;

export type TranscribeRefusal = keyof typeof transcribeRefusals;

/** The body of every answer that is not 200. */
export const transcribeErrorSchema = v.object({
  error: v.object({ code: v.string(), message: v.string() }),
});

/** @returns the id of the pet whose audio it is, or null. */
export function petOfAudio(fileLocation: string): string | null {
  return audioLocation.exec(fileLocation)?.[1] ?? null;
}
