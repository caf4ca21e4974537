import { atom } from 'jotai';

/** Real time. Tests pass a clock of their own. */
export const systemClock = {
  /** Epoch milliseconds. */
  now: (): number => Date.now(),
  /** @returns a function that cancels. */
  after: (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** What screens take the time from. */
export const clockAtom = atom(systemClock);
