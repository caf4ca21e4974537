import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { StoreError, type KeyValueStore, type StoreOperation } from './key-value-store.ts';

/**
 * - What makes the store grow is refused while the disk has less than a reserve, so that deletions still have room.
 * - A second reserve lies in the store itself. A write that fails frees it for deletions, and from then on nothing may
 *   grow until the reserve and as much again could be written: the disk has room once more.
 */
export interface RoomyStore {
  /** The store, whose failed writes are noticed. */
  readonly store: KeyValueStore;
  /** The reason why nothing that makes the store grow is taken; null while there is room. */
  readonly shortage: () => string | null;
}

export interface DiskRoomDeps {
  readonly store: KeyValueStore;
  /** The free bytes of the disk, for this process. */
  readonly freeBytes: () => number;
  readonly reservedBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** The store cannot be written until it is opened again. */
  readonly onBroken: () => void;
}

const RETRY_MS = 1000;
const PIECE_BYTES = 512 * 1024;
const pieces = (name: string): readonly string[] =>
  Array.from({ length: 4 }, (_, at) => `store/${name}/${at}`);
const RESERVE = pieces('reserve');
const PROBE = pieces('probe');
const TURNS = ['store/turn/0', 'store/turn/1'];

const put = (key: string): StoreOperation => ({ type: 'put', key, value: '.'.repeat(PIECE_BYTES) });
const fillReserve: readonly StoreOperation[] = [
  ...RESERVE.map(put),
  ...TURNS.map((key) => ({ type: 'put', key, value: '.' }) as const),
];

export async function openDiskRoom(deps: DiskRoomDeps): Promise<RoomyStore> {
  const { store, log } = deps;
  let isFull = false;
  let working: Promise<void> | null = null;
  const isLow = () => deps.freeBytes() < deps.reservedBytes;

  /** One by one: freeing a piece takes a few pages, and they can be used again after two more writes. */
  const release = async () => {
    for (const key of [...RESERVE, ...TURNS]) {
      if (store.get(key) !== undefined) await store.write([{ type: 'del', key }]);
    }
  };
  const restore = async () => {
    if (isLow()) return;
    await store.write([...fillReserve, ...PROBE.map(put)]);
    await store.write(PROBE.map((key) => ({ type: 'del', key })));
    isFull = false;
    log.info('store has room again', {});
  };
  const work = (task: () => Promise<void>) => {
    working ??= task()
      .catch(() => undefined)
      .finally(() => {
        working = null;
      });
    return working;
  };

  const noticeFailure = (error: unknown) => {
    if (!(error instanceof StoreError)) return;
    if (error.code === 'broken') deps.onBroken();
    if (isFull) return;
    isFull = true;
    log.error('store write failed', describeError(error));
    void work(release);
  };

  if (RESERVE.some((key) => store.get(key) === undefined) && !isLow()) {
    await store.write(fillReserve).catch(noticeFailure);
  }
  const stopRetrying = deps.clock.every(RETRY_MS, () => {
    if (isFull) void work(restore);
  });
  return {
    store: {
      ...store,
      async write(operations, onPublished) {
        await working;
        try {
          await store.write(operations, onPublished);
        } catch (error) {
          noticeFailure(error);
          throw error;
        }
      },
      async close() {
        stopRetrying();
        await working;
        await store.close();
      },
    },
    shortage: () =>
      isFull || isLow() ? 'The disk of the server is full; what is there can be deleted.' : null,
  };
}
