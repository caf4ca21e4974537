import { useSyncExternalStore } from 'react';

/** A value outside React that tells when it changes. Both functions must be the same between renders. */
export function useWatched<T>(watch: (onChange: () => void) => () => void, read: () => T): T {
  return useSyncExternalStore(watch, read);
}
