import { useSyncExternalStore } from 'react';

/** An observable value. */
export interface Live<T> {
  /** Returns the newest value; undefined until the first one is read. It is the same object until it changes. */
  readonly getSnapshot: () => T | undefined;
  /** Subscribes; the first subscriber starts the source. @returns a function that unsubscribes. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/**
 * Subscribes to a live value. @param live must be the same object between renders (memoize it), or it is read again
 * each time.
 */
export function useLive<T>(live: Live<T>): T | undefined {
  return useSyncExternalStore(live.subscribe, live.getSnapshot);
}
