import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { StoreError, type KeyValueStore, type StoreOperation } from './key-value-store.ts';

export type RoomyStore = Awaited<ReturnType<typeof openDiskRoom>>;

export interface DiskRoomDeps {
  readonly store: KeyValueStore;
  /** Returns the free bytes of the disk for this process. */
  readonly freeBytes: () => number;
  readonly reservedBytes: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the store cannot be written until it is reopened. */
  readonly onBroken: () => void;
}

const retryMs = 1000;
const pieceBytes = 512 * 1024;
const pieces = (name: string): readonly string[] =>
  Array.from({ length: 4 }, (_, at) => `store/${name}/${at}`);
const reserve = pieces('reserve');
const probe = pieces('probe');
const turns = ['store/turn/0', 'store/turn/1'];

const put = (key: string): StoreOperation => ({ type: 'put', key, value: '.'.repeat(pieceBytes) });
const fillReserve: readonly StoreOperation[] = [
  ...reserve.map(put),
  ...turns.map((key) => ({ type: 'put', key, value: '.' }) as const),
];

/**
 * - A shortage is reported while the disk has less free space than a reserve, so that deletions still have room.
 * - A second reserve lies in the store itself. A failed write frees it for deletions, and the shortage lasts from then on
 *   until the reserve and as much again have been written, which shows that the disk has room again.
 */
export async function openDiskRoom(deps: DiskRoomDeps) {
  const { store, log } = deps;
  let isFull = false;
  let working: Promise<void> | null = null;
  const isLow = () => deps.freeBytes() < deps.reservedBytes;

  /** Frees the pieces one by one: freeing a piece takes a few pages, which are reusable after two more writes. */
  const release = async () => {
    for (const key of [...reserve, ...turns]) {
      if (store.get(key) !== undefined) await store.write([{ type: 'del', key }]);
    }
  };
  const restore = async () => {
    if (isLow()) return;
    await store.write([...fillReserve, ...probe.map(put)]);
    await store.write(probe.map((key) => ({ type: 'del', key })));
    isFull = false;
    log.info('store has room again', {});
  };
  const work = (task: () => Promise<void>) => {
    working ??= task()
      .catch(() => undefined)
      .finally(() => {
        working = null;
      });
  };

  const noticeFailure = (error: unknown) => {
    if (!(error instanceof StoreError) || error.code === 'closed') return;
    if (error.code === 'broken') deps.onBroken();
    if (isFull) return;
    isFull = true;
    log.error('store write failed', describeError(error));
    work(release);
  };

  if (reserve.some((key) => store.get(key) === undefined) && !isLow()) {
    await store.write(fillReserve).catch(noticeFailure);
  }
  const stopRetrying = deps.clock.every(retryMs, () => {
    if (isFull) work(restore);
  });
  /** The store, wrapped to notice failed writes. */
  const wrapped: KeyValueStore = {
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
  };
  return {
    store: wrapped,
    /** Returns the reason to refuse writes that make the store grow; null while there is room. */
    shortage: () =>
      isFull || isLow() ? 'The disk of the server is full; what is there can be deleted.' : null,
  };
}
