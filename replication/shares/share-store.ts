import { sharedKeptMs, type SharedItem } from '../../schemas/shared-item.ts';

/**
 * What other apps have shared with this one, in an IndexedDB database of its own: it belongs to nobody before somebody is
 * signed in.
 *
 * - Written by the worker, read by the page; the worker's code stays small without a library for it.
 * - Strict durability: a resolved write has reached the disk.
 * - Opened for each use and closed again, so that nothing stands in the way of its erasure.
 * - What nobody has used goes after a week.
 */
export interface ShareStore {
  /** Fails if the device has no room. */
  write(item: SharedItem): Promise<void>;
  /** null: used up, too old, or never there. */
  read(id: string): Promise<SharedItem | null>;
  remove(id: string): Promise<void>;
  /** @returns the ids of what is left, oldest first. */
  removeOld(): Promise<readonly string[]>;
}

const databaseName = 'pawpals--shared';
const storeName = 'items';
const timeIndex = 'createdAtMs';

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('not answered')));
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, 1);
  request.addEventListener('upgradeneeded', () => {
    request.result
      .createObjectStore(storeName, { keyPath: 'id' })
      .createIndex(timeIndex, timeIndex);
  });
  return answerOf(request);
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const ended = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('The transaction was aborted')),
      );
    });
    const [result] = await Promise.all([work(transaction.objectStore(storeName)), ended]);
    return result;
  } finally {
    database.close();
  }
}

async function removeBefore(store: IDBObjectStore, timeMs: number): Promise<void> {
  const range = IDBKeyRange.upperBound(timeMs, true);
  const ids = await answerOf(store.index(timeIndex).getAllKeys(range));
  for (const id of ids) store.delete(id);
}

/** @param now epoch milliseconds. */
export function createShareStore(now: () => number): ShareStore {
  const oldestMs = (): number => now() - sharedKeptMs;
  return {
    write: (item) =>
      inStore('readwrite', async (store) => {
        await removeBefore(store, oldestMs());
        await answerOf(store.put(item));
      }),
    read: (id) =>
      inStore('readonly', async (store) => {
        const item = await answerOf<SharedItem | undefined>(store.get(id));
        return item === undefined || item.createdAtMs < oldestMs() ? null : item;
      }),
    remove: (id) =>
      inStore('readwrite', async (store) => {
        await answerOf(store.delete(id));
      }),
    removeOld: async () => {
      // Looking would make a database where there is none.
      const names = (await indexedDB.databases()).map(({ name }) => name);
      if (!names.includes(databaseName)) return [];
      return inStore('readwrite', async (store) => {
        await removeBefore(store, oldestMs());
        return (await answerOf(store.index(timeIndex).getAllKeys())).map(String);
      });
    },
  };
}

/** For a sign-out: whoever comes next sees nothing of it. */
export async function eraseShares(): Promise<void> {
  await answerOf(indexedDB.deleteDatabase(databaseName));
}
