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

export function createBackoff({ random, firstMs = 2_000, capMs = 300_000 }: BackoffDeps): Backoff {
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
