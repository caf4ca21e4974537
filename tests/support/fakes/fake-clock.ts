import type { Clock } from '../../../replication/ports.ts';

export interface FakeClock extends Clock {
  /** Moves time and runs what falls due, with everything that follows from it. */
  advance(ms: number): Promise<void>;
  /** Lets everything that waits for nothing but promises go on. */
  settle(): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** Ends after all promise callbacks, however many follow from each other. */
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
