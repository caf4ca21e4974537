import { lockName } from '../connectivity/lock-name.ts';
import type { LockManagerPort } from '../connectivity/web-lock.ts';
import type { Clock } from '../ports.ts';
import { eraseDatabases, type ErasureOutcome } from './erase.ts';

/** A sync that is at work has its databases open, and loses them; one that is about to open them is waited for. */
const patienceMs = 1_000;

export interface EraseAloneDeps {
  readonly locks: LockManagerPort;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * Erases while nobody else syncs: the worker looks whether there is anything of the owner, and opens it, under the same
 * lock. Without it, it might make anew what has just been erased.
 */
export async function eraseAlone(
  uid: string,
  { locks, clock }: EraseAloneDeps,
): Promise<ErasureOutcome> {
  const patience = new AbortController();
  const cancel = clock.after(patienceMs, () => patience.abort());
  let outcome: ErasureOutcome | null = null;
  try {
    await locks.request(lockName(uid), { signal: patience.signal }, async () => {
      outcome = await eraseDatabases(uid);
    });
  } catch (error) {
    if (!patience.signal.aborted) throw error;
  } finally {
    cancel();
  }
  return outcome ?? eraseDatabases(uid);
}
