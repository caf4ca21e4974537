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

/** The fields of a live pet; each but the name may be missing. */
export const petFieldsSchema = v.object({
  name: petNameSchema,
  breed: v.optional(v.pipe(v.string(), v.maxLength(breedMaxLength))),
  /** A calendar date without a time zone, as a birthday has none. */
  dob: v.optional(v.pipe(v.string(), v.isoDate())),
  profilePicturePath: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  profilePictureVersion: v.optional(v.pipe(v.string(), v.maxLength(pictureVersionMaxLength))),
  description: v.optional(
    v.pipe(v.string(), v.maxLength(petDescriptionMaxLength, descriptionTooLong)),
  ),
});
