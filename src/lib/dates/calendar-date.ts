const dayMs = 86_400_000;

/** A calendar date without a zone, such as `2026-11-21`. */
export type CalendarDate = string;

/** Returns the calendar date of an instant in the zone of this device. */
export function localDate(ms: number): CalendarDate {
  const date = new Date(ms);
  const month = String(date.getMonth() + 1).padStart(2, '0');
  const day = String(date.getDate()).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

export interface DateParts {
  readonly year: number;
  /** The month, from 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export function datePartsOf(date: CalendarDate): DateParts {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = date.split('-').map(Number);
  return { year, month, day };
}

/** Returns the number of days between two calendar dates, whatever the length of those days. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}
