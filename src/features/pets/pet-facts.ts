import type { Pet } from '../../../schemas/documents/document.ts';
import { ageText } from '../../lib/dates/age-text.ts';
import type { CalendarDate } from '../../lib/dates/calendar-date.ts';

/** Returns breed and age in one line, as far as they are known. */
export function petFacts({ fields: { breed, dob } }: Pet, today: CalendarDate): string {
  const age = dob === undefined ? '' : ageText(dob, today);
  // No line ends with the number or begins with the dot.
  return [breed ?? '', age.replace(' ', '\u00A0')].filter((fact) => fact !== '').join('\u00A0· ');
}
