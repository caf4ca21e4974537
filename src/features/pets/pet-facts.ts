import type { PetRow } from '../../../schemas/document.ts';
import { ageText } from '../../lib/age-text.ts';
import type { CalendarDate } from '../../lib/calendar-date.ts';

/** Breed and age in one line, as far as they are known. */
export function petFacts({ breed, dob }: PetRow, today: CalendarDate): string {
  const age = dob === undefined ? '' : ageText(dob, today);
  return [breed ?? '', age].filter((fact) => fact !== '').join(' · ');
}
