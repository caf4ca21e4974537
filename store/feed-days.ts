import type { RxCollection } from 'rxdb/plugins/core';
import type { Entry } from '../schemas/documents/document.ts';
import { feedKeyEdge } from '../schemas/documents/feed-key.ts';
import { feedIndexOf, feedKeyAt } from './feed-edge.ts';
import { answerOf } from './indexeddb/requests.ts';

/** A time interval in epoch milliseconds; its end is exclusive. */
export interface TimeStretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The entries of a journal in one interval. */
export interface EntriesBetween {
  readonly count: number;
  /** The feed key of the oldest entry; null if there is none. */
  readonly oldestKey: string | null;
}

/** Tombstones and entries without a date have a key of instant 0, and belong to no day. */
const firstDatedMs = 1;

/** @returns null for an empty range, which IndexedDB refuses. */
function keysBetween(petId: string, { fromMs, untilMs }: TimeStretch): IDBKeyRange | null {
  const from = Math.max(firstDatedMs, fromMs);
  if (untilMs <= from) return null;
  return IDBKeyRange.bound([petId, feedKeyEdge(untilMs)], [petId, feedKeyEdge(from)], false, true);
}

/**
 * Counts the entries of a journal in each of several time intervals. It reads keys of the index and no entry. The
 * number of requests depends only on the number of intervals.
 */
export async function countEntriesBetween(
  entries: RxCollection<Entry>,
  petId: string,
  stretches: readonly TimeStretch[],
): Promise<readonly EntriesBetween[]> {
  const index = feedIndexOf(entries);
  return Promise.all(
    stretches.map(async (stretch) => {
      const range = keysBetween(petId, stretch);
      if (range === null) return { count: 0, oldestKey: null };
      const [count, oldest] = await Promise.all([
        answerOf(index.count(range)),
        answerOf(index.openKeyCursor(range, 'prev')),
      ]);
      return { count, oldestKey: feedKeyAt(oldest) };
    }),
  );
}

/** @returns the feed key of the journal's oldest entry that has a date; null if there is none. */
export async function oldestFeedKey(
  entries: RxCollection<Entry>,
  petId: string,
): Promise<string | null> {
  const dated = IDBKeyRange.bound([petId, ''], [petId, feedKeyEdge(firstDatedMs)], false, true);
  return feedKeyAt(await answerOf(feedIndexOf(entries).openKeyCursor(dated, 'prev')));
}
