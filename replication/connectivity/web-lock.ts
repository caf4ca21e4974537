import type { ExclusiveLock } from '../ports.ts';
import { lockName } from './lock-name.ts';
import { linkAbort } from './linked-abort.ts';
import { answerPings, watchHolder, type WatchDeps } from './lock-watch.ts';

/** The part of `navigator.locks` that is used here. */
export interface LockManagerPort {
  request(
    name: string,
    options: {
      readonly ifAvailable?: boolean;
      readonly steal?: boolean;
      readonly signal?: AbortSignal;
    },
    work: (lock: object | null) => Promise<void>,
  ): Promise<void>;
}

export interface HolderDeps {
  readonly uid: string;
  readonly locks: LockManagerPort;
  /**
   * Called when another tab has stolen the lock, as from a frozen page. This page has missed the writes made since.
   */
  readonly onLockLost: () => void;
}

export type WebLockDeps = HolderDeps & WatchDeps;

type Work = (signal: AbortSignal) => Promise<void>;

/** The state of one request for the lock. */
interface Tenure {
  readonly work: (lock: object | null) => Promise<void>;
  hasBegun(): boolean;
  /** Aborts the work, since another tab has stolen the lock. */
  loseLock(): void;
  /** Settles as the work settles; resolves if it never began. */
  readonly ended: () => Promise<void>;
}

function createTenure(onLockLost: () => void, work: Work): Tenure {
  const lockLost = new AbortController();
  let running: Promise<void> | null = null;
  return {
    work: (lock) => {
      if (lock === null) return Promise.resolve();
      running = work(lockLost.signal);
      return running;
    },
    hasBegun: () => running !== null,
    loseLock: () => {
      lockLost.abort();
      onLockLost();
    },
    ended: () => running ?? Promise.resolve(),
  };
}

/**
 * Waits for the request, and for the work also after the lock was stolen. Rejects if the request fails before the work
 * begins.
 */
async function settle(request: Promise<void>, tenure: Tenure): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!tenure.hasBegun()) throw error;
    tenure.loseLock();
    await tenure.ended();
  }
}

/**
 * The Web Lock `pawpals:{uid}`: one holder over all tabs and the worker of this device.
 *
 * - The browser releases the lock of a tab that dies. A frozen tab keeps its lock, although it makes no progress.
 * - The holder therefore answers pings, and a visible tab that waits and gets no answer for a while steals the lock.
 * - A frozen holder learns from its signal that the lock was stolen when it thaws. Its late writes are compare-and-set,
 *   so they are harmless.
 */
export function createWebLock(deps: WebLockDeps): ExclusiveLock {
  const { locks } = deps;
  const name = lockName(deps.uid);

  const answering =
    (work: Work): Work =>
    async (signal) => {
      const stopAnswering = answerPings(deps);
      try {
        await work(signal);
      } finally {
        stopAnswering();
      }
    };

  const steal = (work: Work): Promise<void> => {
    const tenure = createTenure(deps.onLockLost, answering(work));
    return settle(locks.request(name, { steal: true }, tenure.work), tenure);
  };

  const hold: ExclusiveLock['hold'] = async (work, stop) => {
    if (stop.aborted) return;
    const tenure = createTenure(deps.onLockLost, answering(work));
    const waiting = linkAbort(stop);
    let isHolderFrozen = false;
    const stopWatching = watchHolder(deps, () => {
      isHolderFrozen = true;
      waiting.abort();
    });
    const run = (lock: object | null): Promise<void> => {
      stopWatching();
      return tenure.work(lock);
    };
    try {
      await settle(locks.request(name, { signal: waiting.signal }, run), tenure);
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
      if (isHolderFrozen && !stop.aborted) await steal(work);
    } finally {
      stopWatching();
      waiting.unlink();
    }
  };

  return { hold };
}

/**
 * The same lock for a worker: `hold` resolves at once, without calling `work`, if another context holds the lock.
 *
 * It answers no pings, so a visible tab that waits treats a slow worker like a frozen tab and steals the lock.
 */
export function createWebLockIfAvailable(deps: HolderDeps): ExclusiveLock {
  return {
    hold: async (work, stop) => {
      if (stop.aborted) return;
      const tenure = createTenure(deps.onLockLost, work);
      const request = { ifAvailable: true } as const;
      await settle(deps.locks.request(lockName(deps.uid), request, tenure.work), tenure);
    },
  };
}
