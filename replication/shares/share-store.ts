import { sharedKeptMs, type SharedItem } from '../../schemas/shared-item.ts';
import {
  answerOf,
  inStore,
  removeOldFrom,
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
      const names = (await indexedDB.databases()).map(({ name }) => name);
      if (!names.includes(sharesDatabaseName)) return [];
      return inStore('readwrite', async (store) => {
        await removeOldFrom(store, now());
        return (await answerOf(store.index(timeIndex).getAllKeys())).map(String);
      });
    },
  };
}

/** For a sign-out: whoever comes next sees nothing of it. */
export async function eraseShares(): Promise<void> {
  await answerOf(indexedDB.deleteDatabase(sharesDatabaseName));
}
