import { useMemo } from 'react';
import { useLive } from '../lib/live.ts';
import { useData } from './data-context.ts';

/** True after one complete pull: from then on an empty answer means that there is nothing. */
export function useFetchedOnce(): boolean {
  const { queries } = useData();
  return useLive(useMemo(() => queries.fetchedOnce(), [queries])) ?? false;
}
