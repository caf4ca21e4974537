import { lockName } from './lock-name.ts';
import type { LockManagerPort } from './web-lock.ts';
import type { Clock } from '../ports.ts';
import { eraseDatabase, type ErasureOutcome } from '../../store/erase.ts';

/** The time that a running sync has to release the lock by itself. */
const patienceMs = 1_000;

export interface EraseAloneDeps {
  readonly locks: LockManagerPort;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether the data is still to be erased. Asked under the lock. */
  readonly isStillNoted: () => boolean;
}

/** `called-off`: another tab had finished the erasure before this one got the lock, so nothing was erased. */
export type QueuedErasureOutcome = ErasureOutcome | 'called-off';

/** Erases, and releases the lock. It must be called exactly once. */
export type QueuedErasure = () => Promise<QueuedErasureOutcome>;

/**
 * Requests the owner's lock now, to erase under it later: the present holder may release it in between, and no worker
 * can take it first.
 *
 * - The worker checks for the owner's data and opens it under the same lock. Otherwise it could recreate the data that
 *   was just erased, or send data that its owner has just given up.
 * - The owner may have come back in a tab that erased first. Their new data stays.
 * - The lock is stolen from a sync that does not end in time, which aborts it.
 */
export function queueErasure(uid: string, deps: EraseAloneDeps): QueuedErasure {
  const { locks, clock, isStillNoted } = deps;
  const patience = new AbortController();
  const name = lockName(uid);
  let outcome: QueuedErasureOutcome = 'blocked';
  const begin = new AbortController();
  const begun = new Promise((resolve) => begin.signal.addEventListener('abort', resolve));
  const erase = async (): Promise<void> => {
    await begun;
    outcome = isStillNoted() ? await eraseDatabase(uid) : 'called-off';
  };
  const asked = locks.request(name, { signal: patience.signal }, erase);
  // The rejection reaches the caller of the erasure.
  asked.catch(() => undefined);
  return async () => {
    const cancel = clock.after(patienceMs, () => patience.abort());
    begin.abort();
    try {
      await asked;
    } catch (error) {
      if (!patience.signal.aborted) throw error;
      await locks.request(name, { steal: true }, erase);
    } finally {
      cancel();
    }
    return outcome;
  };
}
