import type { Entry } from '../../../../schemas/documents/document.ts';
import { journalEntryTypes } from '../../../../schemas/documents/entry-kinds.ts';

/** The states of an entry that the owner sees. */
export type EntryState = 'saving' | 'local' | 'uploading' | 'waiting' | 'cloud' | 'parked';

export const entryStateText: Readonly<Record<EntryState, string>> = {
  saving: 'Saving',
  local: 'On this device',
  uploading: 'Uploading',
  waiting: 'Recording not in the cloud yet',
  cloud: 'In the cloud',
  parked: 'Needs attention',
};

export function entryState({ pending, fields }: Entry, isSyncing: boolean): EntryState {
  if (pending === 2) return 'parked';
  if (pending === 1) return isSyncing ? 'uploading' : 'local';
  const hasFile = fields.type !== 'voice-note' || fields.fileLocation !== undefined;
  return hasFile ? 'cloud' : 'waiting';
}

/** The sentence in place of an entry that this version cannot read. */
export const ofNewerVersion = 'Written by a newer version of PawPals';

/** Whether an entry must not be changed, because this version does not know its whole schema. */
export function isOfNewerVersion({ code, fields: { type } }: Entry): boolean {
  const known: readonly (string | undefined)[] = journalEntryTypes;
  return code === 'newer-schema' || !known.includes(type);
}
