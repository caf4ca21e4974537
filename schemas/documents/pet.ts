import * as v from 'valibot';
import {
  breedMaxLength,
  documentIdMaxLength,
  petDescriptionMaxLength,
  petNameMaxLength,
  pictureVersionMaxLength,
} from '../limits.ts';
import { descriptionTooLong, petNameRequired, petNameTooLong } from '../copy/form-copy.ts';
import { toPlainText } from './plain-text.ts';
import { editStampsSchema, syncStateEntries } from './sync-state.ts';

export const documentIdSchema = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(documentIdMaxLength),
);

/** A calendar date without a time zone, as a birthday has none. */
const calendarDateSchema = v.pipe(v.string(), v.isoDate());

/** Whether an ISO date exists: `v.isoDate` accepts 30 February. */
export function isDayOfCalendar(date: string): boolean {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Letters, numbers, punctuation or symbols: text of other characters is invisible after trimming. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

export const petNameSchema = v.pipe(
  v.string(petNameRequired),
  toPlainText,
  v.trim(),
  v.regex(visible, petNameRequired),
  v.maxLength(petNameMaxLength, petNameTooLong),
);

const petDescriptionSchema = v.pipe(
  v.string(),
  v.maxLength(petDescriptionMaxLength, descriptionTooLong),
);

/** The content of a pet; every field but the name may be missing. */
const petContentEntries = {
  name: petNameSchema,
  breed: v.optional(v.pipe(v.string(), v.maxLength(breedMaxLength))),
  dob: v.optional(calendarDateSchema),
  profilePicturePath: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  profilePictureVersion: v.optional(v.pipe(v.string(), v.maxLength(pictureVersionMaxLength))),
  description: v.optional(petDescriptionSchema),
};

/** A live pet as it is stored on this device. */
export const storedPetSchema = v.object({
  id: documentIdSchema,
  ownerId: documentIdSchema,
  petId: v.null(),
  fields: v.object(petContentEntries),
  edits: editStampsSchema,
  deleted: v.literal(false),
  ...syncStateEntries,
});
