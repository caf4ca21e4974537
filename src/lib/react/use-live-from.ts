import { useMemo } from 'react';
import { useLive, type Live } from '../async/live.ts';

/** Subscribes to the value that `read` makes of a source. @param read must be the same function between renders. */
export function useLiveFrom<Source, T>(
  source: Source,
  read: (source: Source) => Live<T>,
): T | undefined {
  return useLive(useMemo(() => read(source), [source, read]));
}
