import * as v from 'valibot';
import type { Pet } from '../../../../schemas/documents/document.ts';
import { withPlainLineEnds } from '../../../../schemas/documents/plain-text.ts';
import { petChangesSchema, type PetChanges } from '../../../../schemas/forms/pet-edit.ts';
import type { CalendarDate } from '../../../lib/dates/calendar-date.ts';

/** The values in the form of a dog's details; an empty value is not set. */
export type PetDetails = Readonly<Record<PetDetailName, string>>;

export const petDetailNames = ['name', 'breed', 'dob', 'description'] as const;
export type PetDetailName = (typeof petDetailNames)[number];

export function petDetails({ fields: { name, breed, dob, description } }: Pet): PetDetails {
  return {
    name: name ?? '',
    breed: breed ?? '',
    dob: dob ?? '',
    description: withPlainLineEnds(description ?? ''),
  };
}

/**
 * Returns the date in a box, which has no value while its date is half typed or no day of the calendar. It is not empty
 * then, and returns a text that the check refuses.
 */
export function dateIn(box: HTMLElement | null | undefined, value: string): string {
  return box instanceof HTMLInputElement && box.validity.badInput ? 'no date' : value;
}

type Problems = Readonly<Partial<Record<PetDetailName, string>>>;

export type CheckedDetails =
  | { readonly changes: PetChanges; readonly problems: null }
  | { readonly changes: null; readonly problems: Problems };

/**
 * Returns only the fields that the owner has changed since the form was opened, because each field is merged by itself
 * with the changes of other devices.
 */
export function checkDetails(
  opened: PetDetails,
  entered: PetDetails,
  today: CalendarDate,
): CheckedDetails {
  const changed = petDetailNames.filter((name) => entered[name].trim() !== opened[name].trim());
  const values = changed.map((name) => {
    const value = entered[name].trim();
    return [name, value === '' && name !== 'name' ? null : value] as const;
  });
  const checked = v.safeParse(petChangesSchema(today), Object.fromEntries(values));
  if (checked.success) return { changes: checked.output, problems: null };
  const problems = checked.issues.map(({ path, message }) => [path?.[0].key, message] as const);
  return { changes: null, problems: Object.fromEntries(problems.toReversed()) };
}
