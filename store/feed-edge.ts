import type { RxCollection } from 'rxdb/plugins/core';
import type { EntryRow } from '../schemas/document.ts';
import { answerOf } from './requests.ts';
import { placeOf } from './rx-storage.ts';

const feedIndex = '[petId+feedKey]';

/**
 * Steps through a journal towards its newest entry, which RxDB's queries cannot: they read an index forwards only.
 * @param from a feed key; the entry that has it is not counted.
 * @returns the feed key of the entry that lies `count` entries further, or null if there are not that many. Tombstones count.
 */
export async function feedKeyBefore(
  entries: RxCollection<EntryRow>,
  petId: string,
  { from, count }: { readonly from: string; readonly count: number },
): Promise<string | null> {
  const { database, store } = placeOf(entries);
  const index = database.transaction(store).objectStore(store).index(feedIndex);
  const newer = IDBKeyRange.bound([petId, ''], [petId, from], false, true);
  const request = index.openKeyCursor(newer, 'prev');
  const nearest = await answerOf(request);
  if (nearest !== null && count > 1) {
    nearest.advance(count - 1);
    await answerOf(request);
  }
  const key: unknown = request.result?.key;
  return Array.isArray(key) ? String(key[1]) : null;
}
