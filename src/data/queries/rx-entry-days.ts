import { feedKeyMs } from '../../../schemas/documents/feed-key.ts';
import { countEntriesBetween, oldestFeedKey } from '../../../store/feed-days.ts';
import { localDate } from '../../lib/dates/calendar-date.ts';
import {
  addDays,
  datesOf,
  startOfDateMs,
  type CalendarMonth,
} from '../../lib/dates/calendar-month.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import type { EntryDay, EntryDays } from './queries.ts';

/** Reads the days of a month that have entries, by the current calendar of the device. */
export async function readEntryDays(
  entries: Collections['journal_entries'],
  petId: string,
  month: CalendarMonth,
): Promise<EntryDays> {
  const dates = datesOf(month);
  const stretches = dates.map((date) => ({
    fromMs: startOfDateMs(date),
    untilMs: startOfDateMs(addDays(date, 1)),
  }));
  const [found, oldest] = await Promise.all([
    countEntriesBetween(entries, petId, stretches),
    oldestFeedKey(entries, petId),
  ]);
  const days = dates.flatMap((date, index): [string, EntryDay][] => {
    const { count = 0, oldestKey = null } = found[index] ?? {};
    return oldestKey === null ? [] : [[date, { count, firstKey: oldestKey }]];
  });
  const journalStart = oldest === null ? null : localDate(feedKeyMs(oldest));
  return { days: new Map(days), journalStart };
}
