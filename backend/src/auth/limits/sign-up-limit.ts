import { createAttemptLimiter } from './attempt-limiter.ts';

/**
 * As many new accounts from one network address as hosted Firebase allows, so that nobody fills the
 * disk with them. Programs on this very machine may make as many as they like.
 */
export interface SignUpLimit {
  /** @throws {AuthError} TOO_MANY_ATTEMPTS_TRY_LATER */
  charge(address: string): void;
}

/** 127.0.0.1 and the like, and the first half of ::1, which no other machine has. */
const ownMachine = /^(?:127\.|0:0:0:0$)/;

const ACCOUNTS_PER_HOUR = 100;
const HOUR_MS = 3_600_000;

export function createSignUpLimit(nowMs: () => number): SignUpLimit {
  const limiter = createAttemptLimiter({
    nowMs,
    capacity: ACCOUNTS_PER_HOUR,
    drainMs: HOUR_MS / ACCOUNTS_PER_HOUR,
  });
  return {
    charge(address) {
      if (!ownMachine.test(address)) limiter.charge(address);
    },
  };
}
