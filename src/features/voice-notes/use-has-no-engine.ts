import { useMemo } from 'react';
import { useData } from '../../data/data-context.ts';
import { liveInside } from '../../lib/async/lazy-service.ts';
import { useLive } from '../../lib/async/live.ts';

/** Tells whether the server is known to make no transcripts; nullish until the files are read. */
export function useHasNoEngine(): boolean | null | undefined {
  const { files } = useData();
  return useLive(useMemo(() => liveInside(files, (opened) => opened.voice.hasNoEngine()), [files]));
}
