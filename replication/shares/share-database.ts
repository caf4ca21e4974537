import { answerOf, endOfTransaction } from '../../store/indexeddb/requests.ts';
import { sharedKeptMs, type SharedItem } from '../../schemas/local/shared-item.ts';

/**
 * What other apps have shared with this one, in an IndexedDB database of its own: it belongs to nobody before somebody is
 * signed in.
 *
 * - Written by the worker, read by the page; what only the page needs lies in `share-store.ts`.
 * - Strict durability: a resolved write has reached the disk.
 * - Opened for each use and closed again, so that nothing stands in the way of its erasure.
 * - What nobody has used goes after a week.
 * - An item without an owner belongs to the first one whose session sees it, and to nobody else from then on.
 */
export const sharesDatabaseName = 'pawpals--shared';
const storeName = 'items';
export const timeIndex = 'createdAtMs';

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(sharesDatabaseName, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result
      .createObjectStore(storeName, { keyPath: 'id' })
      .createIndex(timeIndex, timeIndex);
  });
  return answerOf(request);
}

export async function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const ended = endOfTransaction(transaction);
    const [result] = await Promise.all([work(transaction.objectStore(storeName)), ended]);
    return result;
  } finally {
    database.close();
  }
}

/** @param timeMs epoch milliseconds. */
export async function removeBefore(store: IDBObjectStore, timeMs: number): Promise<void> {
  const range = IDBKeyRange.upperBound(timeMs, true);
  const ids = await answerOf(store.index(timeIndex).getAllKeys(range));
  for (const id of ids) store.delete(id);
}

/** Fails if the device has no room. */
export function writeShare(item: SharedItem, nowMs: number): Promise<void> {
  return inStore('readwrite', async (store) => {
    await removeBefore(store, nowMs - sharedKeptMs);
    await answerOf(store.put(item));
  });
}
