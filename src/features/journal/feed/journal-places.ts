import { createStepMemory } from '../../../lib/step-memory.ts';
import type { JournalFeed } from './journal-feed.ts';

/** The reading position in a journal: the ranges that were read, and the scroll position. */
export interface JournalPlace {
  /** The key that identifies this position. */
  readonly key: string;
  readonly feed: JournalFeed;
  /** The scroll position of the scroller: 0 at the newest entry, negative further up. */
  readonly scrollTop: () => number;
  readonly moveTo: (scrollTop: number) => void;
  /** Returns true on the first call, when the page has to scroll to the entry at which the journal opens. */
  readonly arrive: () => boolean;
}

export const journalPlaces = createStepMemory<JournalPlace>();

function newPlace(key: string, feed: JournalFeed): JournalPlace {
  let current = 0;
  let isNew = true;
  return {
    key,
    feed,
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
 * newest entry.
 * @param data the open data of the journal, the same object while it is open.
 * @param stepKey the key of the history entry.
 */
export function journalPlace(
  data: object,
  stepKey: string,
  openFeed: () => JournalFeed,
): JournalPlace {
  const known = journalPlaces.get(data, stepKey);
  if (known !== undefined) return known;
  const place = newPlace(stepKey, openFeed());
  journalPlaces.set(data, stepKey, place);
  return place;
}
