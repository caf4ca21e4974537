import { datePartsOf, daysBetween, localDate, type CalendarDate } from './calendar-date.ts';
import { countText } from '../text/count-text.ts';

// These names replace Intl formatting: a feed has hundreds of dates, and a formatter keeps the time zone in which it
// was created.
export const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Returns the time of day as "08:05". */
export function clockText(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes()].map((n) => String(n).padStart(2, '0')).join(':');
}

function weekdayOf(ms: number): string {
  return weekdayNames[new Date(ms).getDay()] ?? '';
}

/** Returns a date as "4 March 2024". */
export function dateText(date: CalendarDate): string {
  const { year, month, day } = datePartsOf(date);
  return `${String(day)} ${monthNames[month - 1] ?? ''} ${String(year)}`;
}

function fullDate(ms: number): string {
  return dateText(localDate(ms));
}

function daysAgo(ms: number, nowMs: number): number {
  return daysBetween(localDate(ms), localDate(nowMs));
}

/** The text in place of the date of an entry without one, which counts as dated 0: in its feed key and in an export. */
export const noDate = 'No date';

/** Returns the time of an entry relative to now. A time in the future (another device's clock) counts as just now. */
export function entryTimeText(createdMs: number, nowMs: number): string {
  if (createdMs === 0) return noDate;
  const agoMs = Math.max(0, nowMs - createdMs);
  if (agoMs < minuteMs) return `${countText(Math.max(1, Math.floor(agoMs / 1000)), 'second')} ago`;
  if (agoMs < hourMs) return `${countText(Math.floor(agoMs / minuteMs), 'minute')} ago`;
  const days = daysAgo(createdMs, nowMs);
  if (days <= 0) return `${countText(Math.floor(agoMs / hourMs), 'hour')} ago`;
  if (days === 1) return `Yesterday at ${clockText(createdMs)}`;
  return days < 7 ? weekdayOf(createdMs) : fullDate(createdMs);
}

/** Returns day and minute, however long ago that is. */
export function exactTimeText(ms: number): string {
  return ms === 0 ? noDate : `${fullDate(ms)} at ${clockText(ms)}`;
}

/** Returns a day as "Monday 4 March 2024". */
export function fullDayText(ms: number): string {
  return ms === 0 ? noDate : `${weekdayOf(ms)} ${fullDate(ms)}`;
}

/** Returns the heading of the entries of one day. */
export function dayText(ms: number, nowMs: number): string {
  const days = daysAgo(ms, nowMs);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 7 ? weekdayOf(ms) : fullDayText(ms);
}
