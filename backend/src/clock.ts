/** Time and repetition; injected so that tests move time by hand. */
export interface Clock {
  /** The wall time, in milliseconds since the epoch. It may be set, also back, so durations are not measured by it. */
  now(): number;
  /** Milliseconds since some moment of this process; they only rise, and measure durations. */
  elapsedMs(): number;
  /** Calls `run` about every `intervalMs`; the returned function stops it. */
  every(intervalMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  every(intervalMs, run) {
    const timer = setInterval(run, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
