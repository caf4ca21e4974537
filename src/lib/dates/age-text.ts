import { datePartsOf, daysBetween, type CalendarDate } from './calendar-date.ts';
import { countText } from '../text/count-text.ts';

/**
 * Returns the number of full months. If a month is too short for the birthday, the month counts from the first of the
 * next.
 */
function fullMonths(dob: CalendarDate, today: CalendarDate): number {
  const born = datePartsOf(dob);
  const now = datePartsOf(today);
  const months = (now.year - born.year) * 12 + now.month - born.month;
  return now.day < born.day ? months - 1 : months;
}

/**
 * Returns the age of a dog: in days under 7 days, weeks under 90 days, months under 2 years, or else in years. A date
 * of birth in the future counts as 0 days.
 */
export function ageText(dob: CalendarDate, today: CalendarDate): string {
  const days = Math.max(0, daysBetween(dob, today));
  if (days < 7) return countText(days, 'day');
  if (days < 90) return countText(Math.floor(days / 7), 'week');
  const months = fullMonths(dob, today);
  if (months < 24) return countText(months, 'month');
  return countText(Math.floor(months / 12), 'year');
}
