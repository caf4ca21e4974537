import { useSyncExternalStore } from 'react';
import { localDate, type CalendarDate } from './calendar-date.ts';

/** The interval is short enough for times in minutes; times in seconds are only shown for very recent events. */
const tickMs = 30_000;

/**
 * The subscribers share one timer. It runs while there are subscribers, and ticks at once when the page becomes
 * visible.
 */
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

/** Returns a text that depends on the time. Renders only when the text changes. */
export function useWords(wordsAt: (nowMs: number) => string): string {
  return useSyncExternalStore(subscribe, () => wordsAt(nowMs));
}

/** Today's calendar date. */
export function useToday(): CalendarDate {
  return useWords(localDate);
}
