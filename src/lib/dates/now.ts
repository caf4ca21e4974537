import { useSyncExternalStore } from 'react';
import { useLive } from '../async/live.ts';
import { createObservable, type Observed } from '../async/observable.ts';
import { localDate, type CalendarDate } from './calendar-date.ts';

/** A time in seconds, which the first minute of an entry is shown in, is off by this at most. */
const tickMs = 5_000;

let readClock = (): number => Date.now();

/**
 * The subscribers share one timer. It runs while there are subscribers, and ticks at once when the page becomes
 * visible.
 */
const nowMs = createObservable(readClock(), startTicking);

function tick(): void {
  nowMs.set(readClock());
}

/** Takes the time from another clock: entries are dated by one that the server corrects, and are as old by the same. */
export function followClock(now: () => number): void {
  readClock = now;
  tick();
}

function startTicking(): () => void {
  tick();
  const timer = setInterval(tick, tickMs);
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') tick();
  };
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** The time of the last tick. While nobody follows it, it is read when somebody asks. */
const latestMs: Observed<number> = {
  subscribe: nowMs.subscribe,
  getSnapshot: () => {
    const isOld = Math.abs(readClock() - nowMs.getSnapshot()) > tickMs;
    if (isOld && !nowMs.isObserved()) tick();
    return nowMs.getSnapshot();
  },
};

/** Epoch milliseconds of the last tick, by the clock that is followed. */
export function useNow(): number {
  return useLive(latestMs);
}

/** Returns a text that depends on the time. Renders only when the text changes. */
export function useTimeText(wordsAt: (nowMs: number) => string): string {
  return useSyncExternalStore(latestMs.subscribe, () => wordsAt(latestMs.getSnapshot()));
}

/** Today's calendar date. */
export function useToday(): CalendarDate {
  return useTimeText(localDate);
}
