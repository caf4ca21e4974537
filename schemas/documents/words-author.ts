import { transcriptStates } from './entry-kinds.ts';

const machineStates: ReadonlySet<unknown> = new Set(
  transcriptStates.filter((state) => state !== 'edited'),
);

interface Words {
  readonly text?: unknown;
  readonly transcript?: unknown;
}

/**
 * Whose words the text of an entry is: that of a note, of a voice note after its owner corrected it, or of a voice note
 * that an earlier client stored without a state, is a person's.
 */
export function wordsAuthor({ text, transcript }: Words): 'person' | 'machine' | null {
  if (machineStates.has(transcript)) return 'machine';
  return text === undefined && transcript === undefined ? null : 'person';
}
