import { createAttemptLimiter } from './attempt-limiter.ts';

/**
 * Slows down whoever tries passwords.
 *
 * - Counted per account and network address together, so that an attacker elsewhere does not lock
 *   the owner out; and, far higher, per address alone, against one password for many accounts.
 * - Only wrong passwords count. An unknown address counts like a known one.
 */
export interface SignInLimits {
  /** @throws {AuthError} TOO_MANY_ATTEMPTS_TRY_LATER */
  begin(email: string, address: string): Attempt;
}

interface Attempt {
  succeed(): void;
  /** It failed for another reason than the password. */
  takeBack(): void;
}

const PER_ACCOUNT = { capacity: 10, drainMs: 30_000 };
const PER_ADDRESS = { capacity: 100, drainMs: 5_000 };

export function createSignInLimits(nowMs: () => number): SignInLimits {
  const perAccount = createAttemptLimiter({ nowMs, ...PER_ACCOUNT });
  const perAddress = createAttemptLimiter({ nowMs, ...PER_ADDRESS });
  return {
    begin(email, address) {
      const pair = `${address} ${email}`;
      perAccount.charge(pair);
      try {
        perAddress.charge(address);
      } catch (error) {
        perAccount.refund(pair);
        throw error;
      }
      return {
        succeed() {
          perAccount.clear(pair);
          perAddress.refund(address);
        },
        takeBack() {
          perAccount.refund(pair);
          perAddress.refund(address);
        },
      };
    },
  };
}
