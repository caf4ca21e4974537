import type { CalendarDate } from '../../../lib/dates/calendar-date.ts';
import { addDays, addMonths, weekdayOf } from '../../../lib/dates/calendar-month.ts';

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** Returns the date that a key leads to, as in the grids of the ARIA Authoring Practices; null for other keys. */
export function dateAfterKey(
  date: CalendarDate,
  { key, shiftKey }: PressedKey,
): CalendarDate | null {
  const months = shiftKey ? 12 : 1;
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1);
    case 'ArrowRight':
      return addDays(date, 1);
    case 'ArrowUp':
      return addDays(date, -7);
    case 'ArrowDown':
      return addDays(date, 7);
    case 'Home':
      return addDays(date, -weekdayOf(date));
    case 'End':
      return addDays(date, 6 - weekdayOf(date));
    case 'PageUp':
      return addMonths(date, -months);
    case 'PageDown':
      return addMonths(date, months);
    default:
      return null;
  }
}
