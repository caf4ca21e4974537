import { atom } from 'jotai';

/** The real clock. Tests pass their own. */
export const systemClock = {
  /** Epoch milliseconds. */
  now: (): number => Date.now(),
  /** Milliseconds since the page was opened. They rise when somebody sets the clock back, too. */
  monotonicMs: (): number => performance.now(),
  /** Runs a function after a delay. @returns a function that cancels it. */
  after: (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The clock of the screens. */
export const clockAtom = atom(systemClock);
