import { lockName } from './lock-name.ts';
import type { LockManagerPort } from './web-lock.ts';
import type { Clock } from '../ports.ts';
import { eraseDatabase, type ErasureOutcome } from '../../store/erase.ts';

/** How long a sync that is at work may take to end by itself. */
const patienceMs = 1_000;

export interface EraseAloneDeps {
  readonly locks: LockManagerPort;
  readonly clock: Pick<Clock, 'after'>;
}

/** Erases, and lets the lock go. Must be called, once. */
export type QueuedErasure = () => Promise<ErasureOutcome>;

/**
 * Asks for the owner's lock now, to erase under it later: whoever holds it may let it go in between, and no worker comes
 * first.
 *
 * - The worker looks whether there is anything of the owner, and opens it, under the same lock. Without it, it might make
 *   anew what has just been erased, or send what its owner has just given up.
 * - A sync that does not end in time is robbed of the lock, which ends it.
 */
export function queueErasure(uid: string, { locks, clock }: EraseAloneDeps): QueuedErasure {
  const patience = new AbortController();
  const name = lockName(uid);
  let outcome: ErasureOutcome = 'blocked';
  const begin = new AbortController();
  const begun = new Promise((resolve) => begin.signal.addEventListener('abort', resolve));
  const erase = async (): Promise<void> => {
    await begun;
    outcome = await eraseDatabase(uid);
  };
  const asked = locks.request(name, { signal: patience.signal }, erase);
  // Whoever erases is told.
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
