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

/**
 * Requests the lock, and works while holding it. If it is stolen, aborts the work and waits for its end. Rejects if the
 * request fails before the work begins, or if the work fails.
 */
async function workUnder(
  { uid, locks, onLockLost }: HolderDeps,
  options: Parameters<LockManagerPort['request']>[1],
  work: Work,
): Promise<void> {
  const lockLost = new AbortController();
  const running = new Set<Promise<void>>();
  const begin = async (lock: object | null): Promise<void> => {
    if (lock === null) return;
    const run = work(lockLost.signal).finally(() => running.delete(run));
    running.add(run);
    await run;
  };
  try {
    await locks.request(lockName(uid), options, begin);
  } catch (error) {
    // Without work that runs, the request has failed before it, or the work itself has.
    if (running.size === 0) throw error;
    lockLost.abort();
    onLockLost();
    await Promise.all(running);
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
  const hold: ExclusiveLock['hold'] = async (work, stop) => {
    if (stop.aborted) return;
    const waiting = linkAbort(stop);
    let isHolderFrozen = false;
    const stopWatching = watchHolder(deps, () => {
      isHolderFrozen = true;
      waiting.abort();
    });
    const answering: Work = async (signal) => {
      stopWatching();
      const stopAnswering = answerPings(deps);
      try {
        await work(signal);
      } finally {
        stopAnswering();
      }
    };
    try {
      await workUnder(deps, { signal: waiting.signal }, answering);
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
      if (isHolderFrozen && !stop.aborted) await workUnder(deps, { steal: true }, answering);
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
      if (!stop.aborted) await workUnder(deps, { ifAvailable: true }, work);
    },
  };
}
