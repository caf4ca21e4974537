import type { Pet } from '../../../schemas/documents/document.ts';
import { ageText } from '../../lib/dates/age-text.ts';
import type { CalendarDate } from '../../lib/dates/calendar-date.ts';

/** Returns breed and age in one line, as far as they are known. */
export function petFacts({ fields: { breed, dob } }: Pet, today: CalendarDate): string {
  const age = dob === undefined ? '' : ageText(dob, today);
  return [breed ?? '', age].filter((fact) => fact !== '').join(' · ');
}
