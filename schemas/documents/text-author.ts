import { transcriptStates } from './entry-kinds.ts';

const machineStates: ReadonlySet<unknown> = new Set(
  transcriptStates.filter((state) => state !== 'edited'),
);

interface Words {
  readonly text?: unknown;
  readonly transcript?: unknown;
}

/**
 * Returns the author of an entry's text. A person is the author of a note, of a voice note's text after its owner
 * corrected it, and of one that an earlier client stored without a state.
 */
export function textAuthor({ text, transcript }: Words): 'person' | 'machine' | null {
  if (machineStates.has(transcript)) return 'machine';
  return text === undefined && transcript === undefined ? null : 'person';
}
