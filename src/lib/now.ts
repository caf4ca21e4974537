import { useSyncExternalStore } from 'react';
import { localDate, type CalendarDate } from './calendar-date.ts';

const minuteMs = 60_000;

/** One tick for the whole page: it runs while somebody watches, and catches up when the page is seen again. */
const watchers = new Set<() => void>();
let nowMs = Date.now();
let stopTicking: (() => void) | null = null;

function tick(): void {
  nowMs = Date.now();
  for (const watcher of watchers) watcher();
}

function startTicking(): () => void {
  const timer = setInterval(tick, minuteMs);
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') tick();
  };
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

function subscribe(onChange: () => void): () => void {
  watchers.add(onChange);
  if (stopTicking === null) {
    nowMs = Date.now();
    stopTicking = startTicking();
  }
  return () => {
    watchers.delete(onChange);
    if (watchers.size > 0) return;
    stopTicking?.();
    stopTicking = null;
  };
}

/** Epoch milliseconds of the last minute tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** Today's calendar date. */
export function useToday(): CalendarDate {
  return useSyncExternalStore(subscribe, () => localDate(nowMs));
}
