export const journalEntryTypes = ['note', 'voice-note'] as const;

/**
 * The states of a voice note's text.
 *
 * - `waiting`: the transcript is requested. `unheard`: the server makes no transcripts; it is asked again from time to
 *   time.
 * - `done`: a transcript. `rough`: a transcript by a small recognizer, which is often wrong.
 * - `none`: nobody speaks in it. `failed`: the server refuses to transcribe it.
 * - `edited`: a person's own words, which win over any transcript.
 */
export const transcriptStates = [
  'waiting',
  'unheard',
  'done',
  'rough',
  'none',
  'failed',
  'edited',
] as const;

export type TranscriptState = (typeof transcriptStates)[number];
