import type { JournalFeed } from './journal-feed.ts';

/** Where one is in a journal: what of it was read, and how far up one has scrolled. */
export interface JournalPlace {
  /** Tells it from all other places. */
  readonly key: string;
  readonly feed: JournalFeed;
  /** As the element that scrolls has it: 0 at the newest entry, negative further up. */
  readonly scrollTop: () => number;
  readonly moveTo: (scrollTop: number) => void;
  /** True the first time it is asked: then the page has to be brought to where the journal opens. */
  readonly arrive: () => boolean;
}

/**
 * The places that steps back lead to.
 *
 * - They live as long as the open data of their owner: whoever signs out leaves nothing here.
 * - Only the last few are kept. One that is not known any more opens at the newest entry.
 */
export const placesOfData = new WeakMap<object, Map<string, JournalPlace>>();

const keptMax = 9;

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
 * The place that a step in the history was left at, or a new one.
 * @param data whose journal it is: the same object while it is open.
 * @param stepKey of the step, and of no other.
 */
export function journalPlace(
  data: object,
  stepKey: string,
  openFeed: () => JournalFeed,
): JournalPlace {
  const places = placesOfData.get(data) ?? new Map<string, JournalPlace>();
  placesOfData.set(data, places);
  const place = places.get(stepKey) ?? newPlace(stepKey, openFeed());
  places.set(stepKey, place);
  const [oldest = ''] = places.keys();
  if (places.size > keptMax) places.delete(oldest);
  return place;
}
