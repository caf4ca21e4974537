import * as v from 'valibot';
import { entryFieldsSchema } from './documents/journal-entry.ts';
import { documentIdSchema, isDayOfCalendar, petFieldsSchema } from './documents/pet.ts';
import { contentTypeMaxLength } from './limits.ts';
import { editStampsSchema } from './documents/sync-state.ts';

export const exportListName = 'pawpals.json';
export const exportFormat = 'pawpals-export';
export const exportVersion = 1;

/** The last instant that the server can store: the end of the year 9999. */
const lastInstantMs = 253_402_300_799_999;

const instantSchema = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.integer(),
  v.minValue(0),
  v.maxValue(lastInstantMs),
);

/** The file's path in the zip file; null if its bytes were unavailable at export. */
const fileNameSchema = v.nullable(v.pipe(v.string(), v.maxLength(1_024)));

/** A type that a header of a request can hold. A document with another one is read without it. */
const contentTypeSchema = v.fallback(
  v.optional(
    v.pipe(v.string(), v.maxLength(contentTypeMaxLength), v.regex(/^[a-z]+\/[\x20-\x7e]+$/)),
  ),
  undefined,
);

/** The names of the fields whose values the server did not have at export. */
const unsentSchema = v.fallback(v.optional(v.array(v.string())), undefined);

const { name, breed, description, profilePicturePath, profilePictureVersion } =
  petFieldsSchema.entries;

const exportedPictureSchema = v.object({
  file: fileNameSchema,
  contentType: contentTypeSchema,
  /** The path and version of the picture on the owner's server. */
  serverPath: profilePicturePath,
  serverVersion: profilePictureVersion,
  /** Whether the bytes are of an older picture, because those of this version were unavailable at export. */
  isOlder: v.fallback(v.optional(v.boolean()), undefined),
});

export const exportedPetSchema = v.object({
  id: documentIdSchema,
  name,
  breed,
  dob: v.optional(v.pipe(v.string(), v.isoDate(), v.check(isDayOfCalendar))),
  description,
  picture: v.nullable(exportedPictureSchema),
  /** When each field was last edited, in epoch milliseconds. */
  edits: editStampsSchema,
  unsent: unsentSchema,
});

const { type, text, transcript, formerTexts, durationMs, waveform, fileLocation } =
  entryFieldsSchema.entries;

const exportedRecordingSchema = v.object({
  file: fileNameSchema,
  contentType: contentTypeSchema,
  durationMs,
  waveform,
  serverPath: fileLocation,
});

export const exportedEntrySchema = v.object({
  id: documentIdSchema,
  petId: documentIdSchema,
  createdDate: instantSchema,
  type,
  text,
  transcript,
  /** The stored form; see `FormerText`. */
  formerTexts,
  /** The recording of a voice note; null for other entries. */
  recording: v.nullable(exportedRecordingSchema),
  edits: editStampsSchema,
  unsent: unsentSchema,
});

/**
 * The list in an exported zip file: everything that the owner wrote, in machine-readable form. The zip also has a
 * human-readable page in each pet's folder, recordings and pictures.
 *
 * - A change in the meaning of a field raises {@link exportVersion}; an additional field does not.
 * - Instants are ISO 8601 in UTC; dates of birth are `YYYY-MM-DD`.
 * - Pets and entries are validated one by one, by their own schemas.
 */
export const exportListSchema = v.object({
  format: v.literal(exportFormat),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  exportedAt: instantSchema,
  /** The account it was exported from. */
  owner: documentIdSchema,
  pets: v.array(v.unknown()),
  entries: v.array(v.unknown()),
  /** Texts that an import does not bring back; the human-readable pages have them. */
  otherVersions: v.optional(v.array(v.unknown()), []),
  drafts: v.optional(v.array(v.unknown()), []),
});

export type ExportedPet = v.InferOutput<typeof exportedPetSchema>;
export type ExportedEntry = v.InferOutput<typeof exportedEntrySchema>;

/** The form before export. Values come from storage, and are validated when the file is imported. */
export type PetToExport = Omit<v.InferInput<typeof exportedPetSchema>, 'name'> & {
  readonly name: string | undefined;
};
export type EntryToExport = Omit<
  v.InferInput<typeof exportedEntrySchema>,
  'type' | 'transcript'
> & { readonly type: string | undefined; readonly transcript: string | undefined };
