import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import { StoreError, type KeyValueStore, type StoreOperation } from './key-value-store.ts';

export type RoomyStore = ReturnType<typeof openDiskRoom>;

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
const probe: StoreOperation = { type: 'put', key: 'store/probe', value: '' };

/**
 * - A shortage is reported while the disk has less free space than a reserve, so that deletions still have room.
 * - It is reported as well when the store is short of room all the same, and after a failed write. From then on, the server
 *   tries every second whether there is room again.
 */
export function openDiskRoom(deps: DiskRoomDeps) {
  const { store, log } = deps;
  let hasFailed = false;
  let wasFull = false;
  let probing: Promise<void> | null = null;
  const isLow = () => deps.freeBytes() < deps.reservedBytes;
  const isFull = () => hasFailed || store.isShort();

  const logFullness = () => {
    if (isFull() === wasFull) return;
    wasFull = !wasFull;
    if (wasFull) log.error('disk full', {});
    else log.info('store has room again', {});
  };
  const tryAgain = async () => {
    try {
      await store.write([probe]);
      hasFailed = false;
    } catch {
      // It is still full.
    }
    logFullness();
    probing = null;
  };

  const noticeFailure = (error: unknown) => {
    if (!(error instanceof StoreError) || error.code === 'closed') return;
    if (error.code === 'broken') deps.onBroken();
    if (!hasFailed) log.error('store write failed', describeError(error));
    hasFailed = true;
  };

  const stopRetrying = deps.clock.every(retryMs, () => {
    if (isFull() && !isLow()) probing ??= tryAgain();
  });
  /** The store, wrapped to notice failed writes. */
  const wrapped: KeyValueStore = {
    ...store,
    async write(operations, onPublished) {
      try {
        await store.write(operations, onPublished);
      } catch (error) {
        noticeFailure(error);
        throw error;
      } finally {
        logFullness();
      }
    },
    async close() {
      stopRetrying();
      await probing;
      await store.close();
    },
  };
  return {
    store: wrapped,
    /** Returns the reason to refuse writes that make the store grow; null while there is room. */
    shortage: () =>
      isFull() || isLow() ? 'The disk of the server is full; what is there can be deleted.' : null,
  };
}
