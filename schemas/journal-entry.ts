import * as v from 'valibot';
import { contentTypeMaxLength, noteTextMaxLength } from './limits.ts';
import { noteTooLong } from './messages.ts';
import { documentIdSchema } from './pet.ts';
import { editStampsSchema, syncStateEntries } from './sync-state.ts';

export const journalEntryTypes = ['note', 'voice-note'] as const;

/** How far the text of a voice note is: a person's own words are `edited` and win over any transcript. */
export const transcriptStates = ['waiting', 'done', 'none', 'failed', 'edited'] as const;

export const noteTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(noteTextMaxLength, noteTooLong),
);

const journalEntryContentEntries = {
  /** Epoch milliseconds at which the owner wrote it. */
  createdDate: v.pipe(v.number(), v.integer(), v.minValue(0)),
  type: v.picklist(journalEntryTypes),
  text: v.optional(v.pipe(v.string(), v.maxLength(noteTextMaxLength, noteTooLong))),
  fileLocation: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  contentType: v.optional(v.pipe(v.string(), v.maxLength(contentTypeMaxLength))),
  durationMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  transcript: v.optional(v.picklist(transcriptStates)),
};

/** As for pets: groups that are merged as one. `createdDate` and `type` never change after the entry was made. */
export const entryFieldGroups = [
  ['createdDate'],
  ['type'],
  ['text', 'transcript'],
  ['fileLocation', 'contentType', 'durationMs'],
] as const;

/** A live journal entry as it is stored on this device. */
export const storedEntrySchema = v.object({
  id: documentIdSchema,
  petId: documentIdSchema,
  createdBy: documentIdSchema,
  /** See {@link feedKey}. */
  feedKey: v.string(),
  ...journalEntryContentEntries,
  edits: editStampsSchema,
  deleted: v.literal(false),
  ...syncStateEntries,
});

/** The largest instant a JavaScript Date can hold, in milliseconds. */
const lastInstantMs = 8_640_000_000_000_000;

/**
 * A key that sorts newest first in ascending order, because the local database reads an index forwards only.
 * Entries of one millisecond are told apart by their id.
 */
export function feedKey(createdDateMs: number, id: string): string {
  return `${String(lastInstantMs - createdDateMs).padStart(16, '0')}-${id}`;
}

export const feedKeyMaxLength = 17 + 128;
