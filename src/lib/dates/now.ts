import { useSyncExternalStore } from 'react';
import { localDate, type CalendarDate } from './calendar-date.ts';

/** Often enough for times that are told in minutes; those that are told in seconds are never far off. */
const tickMs = 30_000;

/** One tick for the whole page: it runs while somebody watches, and catches up when the page is seen again. */
const watchers = new Set<() => void>();
let nowMs = Date.now();
let stopTicking: (() => void) | null = null;

function tick(): void {
  nowMs = Date.now();
  for (const watcher of watchers) watcher();
}

function startTicking(): () => void {
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

/** Epoch milliseconds of the last tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** What is said of something as time goes by: renders only when the words change. */
export function useWords(wordsAt: (nowMs: number) => string): string {
  return useSyncExternalStore(subscribe, () => wordsAt(nowMs));
}

/** Today's calendar date. */
export function useToday(): CalendarDate {
  return useWords(localDate);
}
