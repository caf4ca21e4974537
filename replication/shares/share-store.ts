import { answerOf, eachOf } from '../../store/indexeddb/requests.ts';
import { isThere } from '../../store/indexeddb/stores.ts';
import { sharedKeptMs, type SharedItem } from '../../schemas/local/shared-item.ts';
import { inStore, removeBefore, sharesDatabaseName, timeIndex } from './share-database.ts';

export type ShareStore = ReturnType<typeof createShareStore>;

/** Visits all items, oldest first, with one at a time in memory, since their files may be large. */
function visitItems(store: IDBObjectStore, visit: (item: SharedItem) => void): Promise<void> {
  return eachOf(store.index(timeIndex).openCursor(), ({ value }) => visit(value));
}

/**
 * The shared items of one owner. An item without an owner becomes this owner's when it is read here.
 * @param now epoch milliseconds.
 */
export function createShareStore(uid: string, now: () => number) {
  /** @returns the item with its owner; null if it belongs to another owner. */
  const claimed = (store: IDBObjectStore, item: SharedItem): SharedItem | null => {
    if (item.owner !== undefined) return item.owner === uid ? item : null;
    const own = { ...item, owner: uid };
    store.put(own);
    return own;
  };
  const readFrom = async (store: IDBObjectStore, id: string): Promise<SharedItem | null> => {
    const item = await answerOf<SharedItem | undefined>(store.get(id));
    const isGone = item === undefined || item.createdAtMs < now() - sharedKeptMs;
    return isGone ? null : claimed(store, item);
  };

  return {
    /** @returns null if it was removed, has expired, belongs to another owner, or never existed. */
    read: (id: string) => inStore((store) => readFrom(store, id)),
    /**
     * Replaces an item by its rest, in the transaction that reads it; removes it if neither texts nor files remain.
     * Rejects if the device is out of storage.
     * @returns the rest; null under the conditions of `read`.
     */
    update: (id: string, restOf: (item: SharedItem) => SharedItem) =>
      inStore(async (store) => {
        const item = await readFrom(store, id);
        if (item === null) return null;
        const rest = restOf(item);
        const isUsedUp = rest.texts.length + rest.files.length === 0;
        await (isUsedUp ? answerOf(store.delete(id)) : answerOf(store.put(rest)));
        return rest;
      }),
    /** @returns the ids of this owner's items, and of those without an owner, which a sign-out erases too; oldest first. */
    list: async (): Promise<readonly string[]> => {
      if (!(await isThere(sharesDatabaseName))) return [];
      return inStore(async (store) => {
        const ids: string[] = [];
        await visitItems(store, ({ id, owner, createdAtMs }) => {
          const isOurs = owner === undefined || owner === uid;
          if (isOurs && createdAtMs >= now() - sharedKeptMs) ids.push(id);
        });
        return ids;
      });
    },
    /** Removes expired items. @returns the ids of the others, oldest first. */
    removeOld: async (): Promise<readonly string[]> => {
      // Opening the database would create it.
      if (!(await isThere(sharesDatabaseName))) return [];
      return inStore(async (store) => {
        await removeBefore(store, now() - sharedKeptMs);
        const ids: string[] = [];
        await visitItems(store, (item) => {
          if (claimed(store, item) !== null) ids.push(item.id);
        });
        return ids;
      });
    },
  };
}

/**
 * Removes the items of these owners, so that the next owner sees none of them. Items that were shared after `untilMs`
 * stay, also if an interrupted sign-out is finished only now. The date of an item that was shared while the clock was
 * ahead says nothing, so it is removed. The empty database stays: its removal would wait for a frozen tab, and take an
 * item with it that is shared meanwhile.
 * @param owners undefined stands for the items without an owner.
 * @param untilMs the time of the sign-out, in epoch milliseconds.
 * @param now epoch milliseconds, asked for each item: one may be shared while the database is being opened.
 */
export async function eraseShares(
  owners: readonly (string | undefined)[],
  untilMs: number,
  now: () => number,
): Promise<void> {
  if (!(await isThere(sharesDatabaseName))) return;
  await inStore(async (store) => {
    await visitItems(store, ({ id, owner, createdAtMs }) => {
      const isLater = createdAtMs > untilMs && createdAtMs <= now();
      if (owners.includes(owner) && !isLater) store.delete(id);
    });
  });
}
