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

/** A live pet as it is stored on this device; every field but the name may be missing. */
export const storedPetSchema = v.object({
  id: documentIdSchema,
  ownerId: documentIdSchema,
  petId: v.null(),
  fields: v.object({
    name: petNameSchema,
    breed: v.optional(v.pipe(v.string(), v.maxLength(breedMaxLength))),
    /** A calendar date without a time zone, as a birthday has none. */
    dob: v.optional(v.pipe(v.string(), v.isoDate())),
    profilePicturePath: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
    profilePictureVersion: v.optional(v.pipe(v.string(), v.maxLength(pictureVersionMaxLength))),
    description: v.optional(
      v.pipe(v.string(), v.maxLength(petDescriptionMaxLength, descriptionTooLong)),
    ),
  }),
  edits: editStampsSchema,
  deleted: v.literal(false),
  ...syncStateEntries,
});
