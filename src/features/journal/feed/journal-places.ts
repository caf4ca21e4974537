import { createStepMemory } from '../../../lib/step-memory.ts';
import type { Queries } from '../../../data/queries/queries.ts';
import type { Data } from '../../../data/data-context.ts';
import type { FeedRanges } from './feed-ranges.ts';
import type { JournalFeed } from './journal-feed.ts';

/** The reading position in a journal: the ranges that were read, and the scroll position. */
export interface JournalPlace {
  /** The key that identifies this position. */
  readonly key: string;
  /** The queries of the database that the feed reads. */
  readonly queries: Queries;
  readonly feed: JournalFeed;
  /** The scroll position of the scroller: 0 at the newest entry, negative further up. */
  readonly scrollTop: () => number;
  readonly moveTo: (scrollTop: number) => void;
  /** Returns true on the first call, when the page has to scroll to the entry at which the journal opens. */
  readonly arrive: () => boolean;
}

export const journalPlaces = createStepMemory<JournalPlace>();

function newPlace(place: Pick<JournalPlace, 'key' | 'queries' | 'feed'>): JournalPlace {
  let current = 0;
  let isNew = true;
  return {
    ...place,
    scrollTop: () => current,
    moveTo: (scrollTop) => {
      current = scrollTop;
    },
    arrive: () => {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
  };
}

/**
 * Returns the position at which a history entry was left, or a new one. A journal whose position is gone opens at the
 * newest entry. A feed of a database that was closed meanwhile is opened again.
 * @param stepKey the key of the history entry.
 * @param openFeed opens a feed with these ranges, or with its first ones.
 */
export function journalPlace(
  { visit, queries }: Pick<Data, 'visit' | 'queries'>,
  stepKey: string,
  openFeed: (ranges?: FeedRanges) => JournalFeed,
): JournalPlace {
  const known = journalPlaces.get(visit, stepKey);
  if (known?.queries === queries) return known;
  const feed = openFeed(known?.feed.getSnapshot());
  const place =
    known === undefined ? newPlace({ key: stepKey, queries, feed }) : { ...known, queries, feed };
  journalPlaces.set(visit, stepKey, place);
  return place;
}
