import * as v from 'valibot';
import type { TranscriptState } from './documents/entry-kinds.ts';
import { noteTextMaxLength } from './limits.ts';

/** The path of the function at its own address. */
export const transcribeBasePath = '/';

/** The path at which the page and the worker request the transcript of a voice note, on the app's own origin. */
export const transcribePath = '/api/transcribe';

/** `pets/{petId}/audios/{name}`, as the server's rules have it. */
const audioLocation = /^pets\/([^/]{1,128})\/audios\/[^/]+$/;

export const transcribeRequestSchema = v.object({
  fileLocation: v.pipe(v.string(), v.maxLength(1_024), v.regex(audioLocation)),
  /** The owner's language in BCP 47; by default the Accept-Language of the request. */
  language: v.optional(v.pipe(v.string(), v.maxLength(35))),
});

export type TranscribeRequest = v.InferOutput<typeof transcribeRequestSchema>;

/** An empty text means that nobody speaks. A rough text is by an engine that is often wrong. */
export const transcribeAnswerSchema = v.object({
  text: v.pipe(v.string(), v.maxLength(noteTextMaxLength)),
  rough: v.optional(v.boolean(), false),
});

export type TranscribeAnswer = v.InferOutput<typeof transcribeAnswerSchema>;

/**
 * Returns the state of a voice note's transcript after an answer. @param answer null if the server makes no
 * transcripts.
 */
export function transcriptAfter(answer: TranscribeAnswer | null): TranscriptState {
  if (answer === null) return 'unheard';
  if (answer.text.trim() === '') return 'none';
  return answer.rough ? 'rough' : 'done';
}

/** The code of an answer if the server has no engine. */
export const noEngineCode = 'words-no-engine';

/** The codes of answers that concern the server and not the recording, so that each other request gets the same. */
export const serverWideCodes: ReadonlySet<string> = new Set([
  noEngineCode,
  'words-engine-unavailable',
  'words-too-many',
]);

/**
 * The refusals, with the HTTP status of each. The same request is worth repeating after `unauthenticated` with a new
 * token, after `too-many` at the time of Retry-After, and after any status of 500 and above.
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
