import { useSyncExternalStore } from 'react';

/** Subscribes to an observable value outside React. Both functions must be the same between renders. */
export function useWatched<T>(watch: (onChange: () => void) => () => void, read: () => T): T {
  return useSyncExternalStore(watch, read);
}
