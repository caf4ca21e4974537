import * as v from 'valibot';
import { breeds } from './breeds.ts';
import { petDescriptionMaxLength } from '../limits.ts';
import { descriptionTooLong } from '../copy/form-copy.ts';
import { isDayOfCalendar, petNameSchema } from '../documents/pet.ts';
import { toPlainText } from '../documents/plain-text.ts';

/** The fields of a pet that an owner can edit, and their error messages. */

export const breedRequired = 'Breed is required';
export const breedNotListed = 'Choose a breed from the list';
export const dobRequired = 'Date of birth is required';
export const dobNoDate = 'Date of birth must be a day of the calendar';
export const dobInFuture = 'Date of birth cannot be in the future';
export const dobTooEarly = 'Date of birth cannot be before the year 1900';

/** The earliest date of birth that is accepted. */
export const dobEarliest = '1900-01-01';

export const breedSchema = v.pipe(
  v.string(breedRequired),
  v.trim(),
  v.minLength(1, breedRequired),
  v.check((label) => breeds.some((breed) => breed.label === label), breedNotListed),
);

/** @param today the owner's calendar date, `YYYY-MM-DD`. */
export function dobSchema(today: string) {
  return v.pipe(
    v.string(dobRequired),
    v.minLength(1, dobRequired),
    v.isoDate(dobNoDate),
    v.check(isDayOfCalendar, dobNoDate),
    v.check((date) => date >= dobEarliest, dobTooEarly),
    v.check((date) => date <= today, dobInFuture),
  );
}

const descriptionSchema = v.pipe(
  v.string(),
  toPlainText,
  v.trim(),
  v.maxLength(petDescriptionMaxLength, descriptionTooLong),
);

/** The fields to change: an absent field stays, null clears it. */
export interface PetChanges {
  readonly name?: string;
  readonly breed?: string | null;
  readonly dob?: string | null;
  readonly description?: string | null;
}

/** @param today as for {@link dobSchema}. */
export function petChangesSchema(today: string) {
  return v.object({
    name: v.exactOptional(petNameSchema),
    breed: v.exactOptional(v.nullable(breedSchema)),
    dob: v.exactOptional(v.nullable(dobSchema(today))),
    description: v.exactOptional(v.nullable(descriptionSchema)),
  });
}
