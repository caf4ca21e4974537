import { useLiveFrom } from '../../lib/react/use-live-from.ts';
import { useData } from '../data-context.ts';
import type { Queries } from './queries.ts';

function readFetchedOnce(queries: Queries) {
  return queries.fetchedOnce();
}

/** Returns true after one complete pull: from then on, an empty result means that there is nothing. */
export function useFetchedOnce(): boolean {
  return useLiveFrom(useData().queries, readFetchedOnce) ?? false;
}
