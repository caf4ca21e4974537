import { datePartsOf, type CalendarDate } from './calendar-date.ts';
import { monthNames, weekdayNames } from './entry-time-text.ts';

/** A month of a calendar, such as `2026-11`. Months compare as text, like dates. */
export type CalendarMonth = string;

/** The weekdays in British order, from Monday. */
export const weekdays = [...weekdayNames.slice(1), ...weekdayNames.slice(0, 1)];

function dateAt(year: number, month: number, day: number): CalendarDate {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function monthOf(date: CalendarDate): CalendarMonth {
  return date.slice(0, 7);
}

/** Returns a month as "March 2026". */
export function monthText(month: CalendarMonth): string {
  const { year, month: number } = datePartsOf(month);
  return `${monthNames[number - 1] ?? ''} ${String(year)}`;
}

/** Returns a date as "12 March". */
export function dayOfMonthText(date: CalendarDate): string {
  const { month, day } = datePartsOf(date);
  return `${String(day)} ${monthNames[month - 1] ?? ''}`;
}

/** Returns the weekday of a date, from 0 (Monday) to 6. */
export function weekdayOf(date: CalendarDate): number {
  return (new Date(date).getUTCDay() + 6) % weekdays.length;
}

export function addDays(date: CalendarDate, count: number): CalendarDate {
  const { year, month, day } = datePartsOf(date);
  return dateAt(year, month, day + count);
}

export function datesOf(month: CalendarMonth): readonly CalendarDate[] {
  const { year, month: number } = datePartsOf(month);
  const { day: count } = datePartsOf(dateAt(year, number + 1, 0));
  return Array.from({ length: count }, (_, index) => dateAt(year, number, index + 1));
}

/** Returns the same day of another month, or its last day if that month is shorter. */
export function sameDayIn(month: CalendarMonth, date: CalendarDate): CalendarDate {
  const dates = datesOf(month);
  return dates[datePartsOf(date).day - 1] ?? dates.at(-1) ?? date;
}

export function addMonths(date: CalendarDate, count: number): CalendarDate {
  const { year, month } = datePartsOf(date);
  return sameDayIn(monthOf(dateAt(year, month + count, 1)), date);
}

/** Returns the weeks of a month; null stands for a day of another month. */
export function weeksOf(month: CalendarMonth): readonly (readonly (CalendarDate | null)[])[] {
  const dates = datesOf(month);
  const before = weekdayOf(dates[0] ?? month);
  const weekCount = Math.ceil((before + dates.length) / weekdays.length);
  return Array.from({ length: weekCount }, (_, week) =>
    weekdays.map((_name, weekday) => dates[week * weekdays.length + weekday - before] ?? null),
  );
}

/** Returns all months between two months, newest first. */
export function monthsBetween(first: CalendarMonth, last: CalendarMonth): readonly CalendarMonth[] {
  const months: CalendarMonth[] = [];
  for (let month = last; month >= first; month = monthOf(addMonths(`${month}-01`, -1))) {
    months.push(month);
  }
  return months;
}

/**
 * Returns the start of a date in the zone of this device, in epoch milliseconds: midnight, or the first existing hour
 * if the clocks skip midnight. A date that the zone has skipped starts with the next one.
 */
export function startOfDateMs(date: CalendarDate): number {
  const { year, month, day } = datePartsOf(date);
  return new Date(year, month - 1, day).getTime();
}
