import type { Clock } from '../../../replication/ports.ts';

export interface FakeClock extends Clock {
  monotonicMs(): number;
  /** Advances the time and runs the timers that fall due, with the promise callbacks that follow. */
  advance(ms: number): Promise<void>;
  /** Runs all pending promise callbacks without advancing the time. */
  settle(): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Resolves after all pending promise callbacks and those that they queue. */
export function settlePromises(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let nowMs = startMs;
  const timers = new Set<Timer>();

  const nextDue = (untilMs: number): Timer | undefined =>
    [...timers]
      .filter(({ atMs }) => atMs <= untilMs)
      .toSorted((one, other) => one.atMs - other.atMs)[0];

  return {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settlePromises();
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer);
        nowMs = timer.atMs;
        timer.run();
        await settlePromises();
      }
      nowMs = untilMs;
    },
    settle: settlePromises,
  };
}
