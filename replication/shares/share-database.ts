import { answerOf, endOfTransaction } from '../../store/indexeddb/requests.ts';
import { sharedKeptMs, type SharedItem } from '../../schemas/local/shared-item.ts';

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

/**
 * Runs `work` in a transaction on the items that other apps have shared, which have an IndexedDB database of their own:
 * they have no owner before somebody signs in.
 *
 * - The worker writes to it and the page reads it; code that only the page needs is in `share-store.ts`.
 * - Strict durability: a resolved write has reached the disk.
 * - The database is opened for each use and closed again, so that no open connection blocks a later version.
 * - `writeShare` removes unused items after a week.
 * - The first owner whose session sees an item without an owner owns it from then on.
 */
export async function inStore<Result>(
  work: (store: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' });
    const ended = endOfTransaction(transaction);
    const [result] = await Promise.all([work(transaction.objectStore(storeName)), ended]);
    return result;
  } finally {
    database.close();
  }
}

/** Deletes the items that were created before `timeMs`, in epoch milliseconds. */
export async function removeBefore(store: IDBObjectStore, timeMs: number): Promise<void> {
  const range = IDBKeyRange.upperBound(timeMs, true);
  const ids = await answerOf(store.index(timeIndex).getAllKeys(range));
  for (const id of ids) store.delete(id);
}

/** Stores an item, and removes those that have expired. Rejects if the device is out of storage. */
export function writeShare(item: SharedItem, nowMs: number): Promise<void> {
  return inStore(async (store) => {
    await removeBefore(store, nowMs - sharedKeptMs);
    await answerOf(store.put(item));
  });
}
