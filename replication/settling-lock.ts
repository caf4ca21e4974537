import { withDeadline } from './firebase/deadline.ts';
import type { Clock, ExclusiveLock } from './ports.ts';

/** A dead connection must not delay the next holder, or the end of a session. */
export const settleLimitMs = 3_000;

export interface SettlingLockDeps {
  readonly lock: ExclusiveLock;
  readonly clock: Pick<Clock, 'after'>;
  /** Resolves when no request is in flight. */
  readonly idle: () => Promise<void>;
}

/**
 * Holds a lock after its work until no request is in flight, for 3 s at most. Otherwise a commit of work that was stopped
 * would meet one of the next holder, which the server refuses and its SDK repeats.
 */
export function settlingLock({ lock, clock, idle }: SettlingLockDeps): ExclusiveLock {
  return {
    hold: (work, stop) =>
      lock.hold(async (signal) => {
        try {
          await work(signal);
        } finally {
          await withDeadline(clock, idle(), settleLimitMs).catch(() => undefined);
        }
      }, stop),
  };
}
