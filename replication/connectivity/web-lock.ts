import type { ExclusiveLock } from '../ports.ts';
import { lockName } from './lock-name.ts';
import { linkAbort } from './linked-abort.ts';
import { answerPings, watchHolder, type WatchDeps } from './lock-watch.ts';

/** What is needed of `navigator.locks`. */
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
  /** Another took the lock, as from a page that was frozen: it has missed what others wrote meanwhile. */
  readonly onLockLost: () => void;
}

export type WebLockDeps = HolderDeps & WatchDeps;

type Work = (signal: AbortSignal) => Promise<void>;

/** What became of one request for the lock. */
interface Tenure {
  readonly work: (lock: object | null) => Promise<void>;
  hasBegun(): boolean;
  /** The lock was taken away. */
  rob(): void;
  /** Resolves, or rejects, as the work did. */
  readonly ended: () => Promise<void>;
}

function createTenure(onLockLost: () => void, work: Work): Tenure {
  const robbed = new AbortController();
  let running: Promise<void> | null = null;
  return {
    work: (lock) => {
      if (lock === null) return Promise.resolve();
      running = work(robbed.signal);
      return running;
    },
    hasBegun: () => running !== null,
    rob: () => {
      robbed.abort();
      onLockLost();
    },
    ended: () => running ?? Promise.resolve(),
  };
}

/** Holds until the work ends, or until robbed and the work has noticed. */
async function settle(request: Promise<void>, tenure: Tenure): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!tenure.hasBegun()) throw error;
    tenure.rob();
    await tenure.ended();
  }
}

/**
 * The Web Lock `pawpals:{uid}`: one holder over all tabs and the worker of this device.
 *
 * - A tab that dies gives the lock up by itself; one that is frozen keeps it, and does nothing with it.
 * - So a tab that holds answers pings, and a visible tab that waits and hears nothing for a while takes the lock away.
 * - The robbed holder learns it from its signal, when it thaws. What it still writes is compared and set, so harmless.
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
 * The same lock for a worker: `hold` resolves at once, without `work`, if somebody else has it.
 *
 * It answers no pings: whatever holds a worker up, for a visible tab that waits it is as good as frozen.
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
