import type { Clock } from '../../../src/clock.ts';

export interface ManualClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

/** Time moves only by hand; repetitions fall due as it passes. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  const repetitions = new Set<{ intervalMs: number; dueMs: number; run: () => void }>();
  return {
    now: () => now,
    every(intervalMs, run) {
      const repetition = { intervalMs, dueMs: now + intervalMs, run };
      repetitions.add(repetition);
      return () => void repetitions.delete(repetition);
    },
    set(ms) {
      now = ms;
    },
    advance(ms) {
      now += ms;
      for (const each of repetitions) {
        if (each.dueMs > now) continue;
        each.dueMs = now + each.intervalMs;
        each.run();
      }
    },
  };
}
