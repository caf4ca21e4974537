import { datePartsOf, type CalendarDate } from './calendar-date.ts';
import { monthNames, weekdayNames } from './entry-time-text.ts';

/** A month of a calendar, as `2026-11`. Like dates, months compare as text. */
export type CalendarMonth = string;

/** British weeks begin on a Monday. */
export const weekdays = [...weekdayNames.slice(1), ...weekdayNames.slice(0, 1)];

function dateAt(year: number, month: number, day: number): CalendarDate {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function monthOf(date: CalendarDate): CalendarMonth {
  return date.slice(0, 7);
}

/** "March 2026". */
export function monthText(month: CalendarMonth): string {
  const { year, month: number } = datePartsOf(month);
  return `${monthNames[number - 1] ?? ''} ${String(year)}`;
}

/** "12 March". */
export function dayOfMonthText(date: CalendarDate): string {
  const { month, day } = datePartsOf(date);
  return `${String(day)} ${monthNames[month - 1] ?? ''}`;
}

/** From 0, a Monday, to 6. */
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

/** The same day of another month, or the last one of a month that is shorter. */
export function sameDayIn(month: CalendarMonth, date: CalendarDate): CalendarDate {
  const dates = datesOf(month);
  return dates[datePartsOf(date).day - 1] ?? dates.at(-1) ?? date;
}

export function addMonths(date: CalendarDate, count: number): CalendarDate {
  const { year, month } = datePartsOf(date);
  return sameDayIn(monthOf(dateAt(year, month + count, 1)), date);
}

/** The weeks of a month; null stands for a day of the month before or after. */
export function weeksOf(month: CalendarMonth): readonly (readonly (CalendarDate | null)[])[] {
  const dates = datesOf(month);
  const before = weekdayOf(dates[0] ?? month);
  const weekCount = Math.ceil((before + dates.length) / weekdays.length);
  return Array.from({ length: weekCount }, (_, week) =>
    weekdays.map((_name, weekday) => dates[week * weekdays.length + weekday - before] ?? null),
  );
}

/** All months from the one to the other, newest first. */
export function monthsBetween(first: CalendarMonth, last: CalendarMonth): readonly CalendarMonth[] {
  const months: CalendarMonth[] = [];
  for (let month = last; month >= first; month = monthOf(addMonths(`${month}-01`, -1))) {
    months.push(month);
  }
  return months;
}

/**
 * Epoch milliseconds at which a date begins where this device is: at midnight, or where the clocks skip midnight when the
 * first hour begins. A date that a place has skipped begins with the next one.
 */
export function startOfDateMs(date: CalendarDate): number {
  const { year, month, day } = datePartsOf(date);
  return new Date(year, month - 1, day).getTime();
}
