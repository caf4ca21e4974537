import type { FeedRanges } from '../feed/feed-ranges.ts';
import { journalPlaces } from '../feed/journal-places.ts';

function withoutEntry({ ranges, nextId }: FeedRanges, entryId: string): FeedRanges {
  const kept = ranges.map((range) => ({
    ...range,
    rows: range.rows?.filter(({ id }) => id !== entryId) ?? null,
  }));
  return { ranges: kept, nextId };
}

/**
 * Removes a deleted entry from kept reading positions, so that a step back does not show it before the journal is read
 * again.
 */
export function forgetEntry(visit: object, entryId: string): void {
  for (const { feed } of journalPlaces.all(visit)) {
    feed.change((state) => withoutEntry(state, entryId));
  }
}
