export const journalEntryTypes = ['note', 'voice-note'] as const;

/**
 * How far the text of a voice note is.
 *
 * - `waiting`: it is asked for. `unheard`: the server makes no texts; it is asked again from time to time.
 * - `done`: a machine's words. `rough`: those of a small recognizer, which is often wrong.
 * - `none`: nobody speaks in it. `failed`: the server refuses to listen.
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
