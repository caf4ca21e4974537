import { useSyncExternalStore } from 'react';

/** A value that changes while one watches it. */
export interface Live<T> {
  /** The newest value; undefined until the first one has been read. The same object until it changes. */
  readonly getSnapshot: () => T | undefined;
  /** Starts watching with the first subscriber. @returns a function that stops. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** @param live must be the same object between renders (memoise it), or it is read anew each time. */
export function useLive<T>(live: Live<T>): T | undefined {
  return useSyncExternalStore(live.subscribe, live.getSnapshot);
}
