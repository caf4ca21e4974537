import type { RxCollection } from 'rxdb/plugins/core';
import type { Entry } from '../schemas/documents/document.ts';
import { answerOf } from './indexeddb/requests.ts';
import { placeOf } from './rxdb/rx-storage.ts';

/**
 * Returns the index of entries by pet and feed key, in a transaction of its own. Its keys contain the entries' dates.
 */
export function feedIndexOf(entries: RxCollection<Entry>): IDBIndex {
  const { database, store } = placeOf(entries);
  return database.transaction(store).objectStore(store).index('[petId+feedKey]');
}

/** Returns the feed key of the cursor's row; null if there is none. */
export function feedKeyAt(cursor: IDBCursor | null): string | null {
  const key: unknown = cursor?.key;
  return Array.isArray(key) ? String(key[1]) : null;
}

/**
 * Steps through a journal towards its newest entry, which RxDB's queries cannot do, since they read an index only
 * forwards.
 * @param from a feed key; its own entry is not counted.
 * @returns the feed key of the entry `count` entries further, or null if there are not that many. Tombstones count.
 */
export async function feedKeyBefore(
  entries: RxCollection<Entry>,
  petId: string,
  { from, count }: { readonly from: string; readonly count: number },
): Promise<string | null> {
  const newer = IDBKeyRange.bound([petId, ''], [petId, from], false, true);
  const request = feedIndexOf(entries).openKeyCursor(newer, 'prev');
  const nearest = await answerOf(request);
  if (nearest !== null && count > 1) {
    nearest.advance(count - 1);
    await answerOf(request);
  }
  return feedKeyAt(request.result);
}
