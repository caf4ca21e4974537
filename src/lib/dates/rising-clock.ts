/** A clock that was set back by more than this was wrong before; less is drift and the error of a measurement. */
const driftMs = 60_000;

/**
 * Strictly rising times, so that what is written within one millisecond keeps its order. When the clock is set back, the
 * times follow it: they do not stay in a future that was a mistake.
 */
export function createRisingClock(now: () => number): () => number {
  let lastMs = -Infinity;
  return () => {
    const nowMs = now();
    lastMs = lastMs - nowMs > driftMs ? nowMs : Math.max(nowMs, lastMs + 1);
    return lastMs;
  };
}
