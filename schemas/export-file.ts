import * as v from 'valibot';
import { journalEntryTypes, transcriptStates } from './documents/entry-kinds.ts';
import {
  breedMaxLength,
  contentTypeMaxLength,
  formerTextsMaxLength,
  noteTextMaxLength,
  petDescriptionMaxLength,
  pictureVersionMaxLength,
  waveformLength,
} from './limits.ts';
import { documentIdSchema, petNameSchema } from './documents/pet.ts';
import { editStampsSchema } from './documents/sync-state.ts';

/**
 * The list in an exported zip file: everything that the owner wrote, for a machine to read. Beside it lie a page for
 * people in each dog's folder, recordings and pictures.
 *
 * - A change of what a field means raises {@link exportVersion}; a field more does not.
 * - Instants are ISO 8601 in UTC; dates of birth are `YYYY-MM-DD`.
 */
export const exportListName = 'pawpals.json';
export const exportFormat = 'pawpals-export';
export const exportVersion = 1;

/** The last that the server can store: the end of the year 9999. */
const lastInstantMs = 253_402_300_799_999;

const instantSchema = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.integer(),
  v.minValue(0),
  v.maxValue(lastInstantMs),
);

/** The pattern alone takes 30 February. */
function isDayOfCalendar(date: string): boolean {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Within the zip file; null: the bytes could not be had when it was made. */
const fileNameSchema = v.nullable(v.pipe(v.string(), v.maxLength(1_024)));
const serverPathSchema = v.optional(v.pipe(v.string(), v.maxLength(1_024)));
const contentTypeSchema = v.pipe(v.string(), v.maxLength(contentTypeMaxLength));

/** As storage has it: also what was never shown, so that nothing is lost on the way. */
const textSchema = (maxLength: number) => v.optional(v.pipe(v.string(), v.maxLength(maxLength)));

const exportedPictureSchema = v.object({
  file: fileNameSchema,
  contentType: v.optional(contentTypeSchema),
  /** Where the owner's server has it, and which version of it. */
  serverPath: serverPathSchema,
  serverVersion: textSchema(pictureVersionMaxLength),
});

export const exportedPetSchema = v.object({
  id: documentIdSchema,
  name: petNameSchema,
  breed: textSchema(breedMaxLength),
  dob: v.optional(v.pipe(v.string(), v.isoDate(), v.check(isDayOfCalendar))),
  description: textSchema(petDescriptionMaxLength),
  picture: v.nullable(exportedPictureSchema),
  /** When each field was last edited, in epoch milliseconds. */
  edits: editStampsSchema,
});

const exportedRecordingSchema = v.object({
  file: fileNameSchema,
  contentType: v.optional(contentTypeSchema),
  durationMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  waveform: textSchema(waveformLength),
  serverPath: serverPathSchema,
});

export const exportedEntrySchema = v.object({
  id: documentIdSchema,
  petId: documentIdSchema,
  createdDate: instantSchema,
  type: v.picklist(journalEntryTypes),
  text: textSchema(noteTextMaxLength),
  transcript: v.optional(v.picklist(transcriptStates)),
  /** As stored: see `FormerText`. */
  formerTexts: textSchema(formerTextsMaxLength),
  /** Of a voice note. */
  recording: v.nullable(exportedRecordingSchema),
  edits: editStampsSchema,
});

/** What tells that it is a list of ours; dogs and entries are checked one by one. */
export const exportListSchema = v.object({
  format: v.literal(exportFormat),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  exportedAt: instantSchema,
  /** The account it was exported from. */
  owner: documentIdSchema,
  pets: v.array(v.unknown()),
  entries: v.array(v.unknown()),
});

export type ExportedPet = v.InferOutput<typeof exportedPetSchema>;
export type ExportedEntry = v.InferOutput<typeof exportedEntrySchema>;

/** As they lie in the file. Values come from storage, and are checked when they are read again. */
export type PetToExport = Omit<v.InferInput<typeof exportedPetSchema>, 'name'> & {
  readonly name: string | undefined;
};
export type EntryToExport = Omit<
  v.InferInput<typeof exportedEntrySchema>,
  'type' | 'transcript'
> & { readonly type: string | undefined; readonly transcript: string | undefined };
