/** The bound of the first delay. */
const firstMs = 2_000;

/** The minimum delay, so that a small random number makes no busy loop. */
const leastMs = 250;

/** The maximum delay. */
export const backoffCapMs = 300_000;

/**
 * Creates retry delays: exponential with full jitter, so that devices that failed together do not return together, and
 * with a cap, so that no owner waits for hours after the server is back.
 * @param random at least 0, below 1.
 */
export function createBackoff(random: () => number) {
  let failures = 0;
  return {
    /** The next delay in milliseconds; the bound doubles with each call. */
    nextDelayMs: (): number => {
      failures += 1;
      return backoffDelayMs(failures, random);
    },
    /** Resets the bound after a success. */
    reset: (): void => {
      failures = 0;
    },
  };
}

/** Returns the delay after a number of consecutive failures, for work whose failures are counted elsewhere. */
export function backoffDelayMs(failures: number, random: () => number): number {
  const boundMs = Math.min(backoffCapMs, firstMs * 2 ** (failures - 1));
  return Math.round(leastMs + random() * (boundMs - leastMs));
}

/**
 * Whether a delay is over. One that is longer than the longest counts as over: the clock was set back, which must not
 * prolong it.
 */
export function isOver(untilMs: number, nowMs: number, longestMs = backoffCapMs): boolean {
  return untilMs <= nowMs || untilMs > nowMs + longestMs;
}

/** Returns the earliest of the times at which something is tried again; null if there is none. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
