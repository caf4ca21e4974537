/**
 * How long to wait before trying again: exponential with full jitter, so that devices that failed together do not come
 * back together, and with a cap, so that no owner waits for hours after the server is back.
 */
export interface Backoff {
  /** The next delay in milliseconds; the bound doubles with each call. */
  nextDelayMs(): number;
  /** After a success. */
  reset(): void;
}

export interface BackoffDeps {
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly firstMs?: number;
  readonly capMs?: number;
}

/** The least wait, so that bad luck with the jitter does not make a busy loop. */
const leastMs = 250;

/** No wait is longer. */
export const backoffCapMs = 300_000;

export function createBackoff(deps: BackoffDeps): Backoff {
  const { random, firstMs = 2_000, capMs = backoffCapMs } = deps;
  let boundMs = firstMs;
  return {
    nextDelayMs: () => {
      const delayMs = leastMs + random() * (boundMs - leastMs);
      boundMs = Math.min(capMs, boundMs * 2);
      return Math.round(delayMs);
    },
    reset: () => {
      boundMs = firstMs;
    },
  };
}

/** The wait after so many failures in a row, of work whose failures are counted elsewhere. */
export function backoffDelayMs(failures: number, random: () => number): number {
  const backoff = createBackoff({ random });
  // More doublings than these are past the cap.
  for (let count = 1; count < Math.min(failures, 20); count += 1) backoff.nextDelayMs();
  return backoff.nextDelayMs();
}
