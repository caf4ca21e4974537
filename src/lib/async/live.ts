import { useSyncExternalStore } from 'react';
import type { Observed } from './observable.ts';

/** An observed value that is undefined until it is first read. The first subscriber starts its source. */
export type Live<T> = Observed<T | undefined>;

/**
 * Subscribes to an observed value. @param live must be the same object between renders (memoize it), or it is read again
 * each time.
 */
export function useLive<T>(live: Observed<T>): T {
  return useSyncExternalStore(live.subscribe, live.getSnapshot);
}
