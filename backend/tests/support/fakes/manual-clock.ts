import type { Clock } from '../../../src/clock.ts';

export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Sets the wall time, while no time passes. */
  set(ms: number): void;
}

/** Time moves only by hand; repetitions fall due as it passes. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  let elapsedMs = 0;
  const repetitions = new Set<{ intervalMs: number; dueMs: number; run: () => void }>();
  return {
    now: () => now,
    elapsedMs: () => elapsedMs,
    every(intervalMs, run) {
      const repetition = { intervalMs, dueMs: elapsedMs + intervalMs, run };
      repetitions.add(repetition);
      return () => void repetitions.delete(repetition);
    },
    set(ms) {
      now = ms;
    },
    advance(ms) {
      now += ms;
      elapsedMs += ms;
      for (const each of repetitions) {
        if (each.dueMs > elapsedMs) continue;
        each.dueMs = elapsedMs + each.intervalMs;
        each.run();
      }
    },
  };
}
