/** A clock that was set back by more than this was wrong before; a smaller step is drift or a measurement error. */
const driftMs = 60_000;

/**
 * Creates a clock of strictly rising times, so that writes within one millisecond keep their order. When the device's
 * clock is set back, the times follow it, because the later times were wrong.
 */
export function createRisingClock(now: () => number): () => number {
  let lastMs = -Infinity;
  return () => {
    const nowMs = now();
    lastMs = lastMs - nowMs > driftMs ? nowMs : Math.max(nowMs, lastMs + 1);
    return lastMs;
  };
}
