import { sharedKeptMs, type SharedItem } from '../../schemas/shared-item.ts';
import {
  answerOf,
  inStore,
  removeBefore,
  sharesDatabaseName,
  timeIndex,
  writeShare,
} from './share-database.ts';

export interface ShareStore {
  /** Fails if the device has no room. */
  write(item: SharedItem): Promise<void>;
  /** null: used up, too old, or never there. */
  read(id: string): Promise<SharedItem | null>;
  remove(id: string): Promise<void>;
  /** @returns the ids of what is left, oldest first. */
  removeOld(): Promise<readonly string[]>;
}

/** @param now epoch milliseconds. */
export function createShareStore(now: () => number): ShareStore {
  return {
    write: (item) => writeShare(item, now()),
    read: (id) =>
      inStore('readonly', async (store) => {
        const item = await answerOf<SharedItem | undefined>(store.get(id));
        return item === undefined || item.createdAtMs < now() - sharedKeptMs ? null : item;
      }),
    remove: (id) =>
      inStore('readwrite', async (store) => {
        await answerOf(store.delete(id));
      }),
    removeOld: async () => {
      // Looking would make a database where there is none.
      if (!(await isThere())) return [];
      return inStore('readwrite', async (store) => {
        await removeBefore(store, now() - sharedKeptMs);
        return (await answerOf(store.index(timeIndex).getAllKeys())).map(String);
      });
    },
  };
}

async function isThere(): Promise<boolean> {
  const names = (await indexedDB.databases()).map(({ name }) => name);
  return names.includes(sharesDatabaseName);
}

/**
 * For a sign-out: whoever comes next sees nothing of it. What was shared afterwards is theirs, also if the sign-out was cut
 * short and is finished only now.
 * @param untilMs epoch milliseconds.
 */
export async function eraseShares(untilMs: number): Promise<void> {
  if (!(await isThere())) return;
  const left = await inStore('readwrite', async (store) => {
    await removeBefore(store, untilMs + 1);
    return answerOf(store.count());
  });
  if (left === 0) await answerOf(indexedDB.deleteDatabase(sharesDatabaseName));
}
