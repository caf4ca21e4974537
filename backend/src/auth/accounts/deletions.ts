import type { Clock } from '../../clock.ts';
import { describeError, type Log } from '../../log.ts';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createPending } from '../../store/pending.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';

/** Handles the deletion of an account. It must be idempotent, since an event can be delivered twice. */
export type DeletionListener = (event: { readonly uid: string }) => Promise<void>;

export interface DeletionsDeps {
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly log: Log;
}

const prefix = 'auth/deleted/';
const retryMs = 30_000;

export type Deletions = ReturnType<typeof createDeletions>;

/**
 * Delivers events of deleted accounts, so that their data can be erased.
 *
 * - The event is written with the deletion and stays until every listener has resolved, so it is delivered at least once,
 *   even after a crash between the two.
 * - A listener that fails is retried every half minute and after a restart.
 * - Events wait while there is no listener, and for each other: erasing a journal takes much of the process.
 */
export function createDeletions({ store, clock, log }: DeletionsDeps) {
  const running = new Set<string>();
  const listeners = new Set<DeletionListener>();
  const acknowledging = createPending();
  const queue = createFairQueue(1);
  let isStopped = false;

  const deliver = async (uid: string) => {
    if (isStopped || listeners.size === 0 || running.has(uid)) return;
    running.add(uid);
    try {
      const isTold = await queue.run(uid, async () => {
        // The turn comes later, and the listeners may have left meanwhile.
        if (isStopped || listeners.size === 0) return false;
        await Promise.all([...listeners].map((each) => each({ uid })));
        return true;
      });
      if (isTold && !isStopped)
        await acknowledging.add(store.write([{ type: 'del', key: prefix + uid }]));
    } catch (error) {
      if (!isStopped) log.error('account clean-up failed', { uid, ...describeError(error) });
    } finally {
      running.delete(uid);
    }
  };
  const deliverAll = () => {
    for (const [uid] of entriesUnder(store, prefix)) void deliver(uid);
  };
  const stopRetrying = clock.every(retryMs, deliverAll);

  return {
    /** Returns the operation that makes the event durable; it belongs into the write of the deletion. */
    recordOf: (uid: string): StoreOperation => ({
      type: 'put',
      key: prefix + uid,
      value: String(clock.now()),
    }),
    /** Delivers the event; called after the deletion was written. */
    publish: (uid: string) => void deliver(uid),
    /** Adds a listener and delivers waiting events at once. The returned function removes it. */
    onDeleted(listener: DeletionListener): () => void {
      listeners.add(listener);
      deliverAll();
      return () => void listeners.delete(listener);
    },
    /** Stops retries. Listeners that still run get their events again after the next start. */
    async stop() {
      isStopped = true;
      stopRetrying();
      await acknowledging.settled();
    },
  };
}
