import { useMemo } from 'react';
import { useData } from '../../data/data-context.ts';
import type { NamedPet } from '../../data/queries/queries.ts';
import { useLive } from '../../lib/async/live.ts';

/** Returns all dogs; undefined until they are read. */
export function usePets(): readonly NamedPet[] | undefined {
  const { queries } = useData();
  return useLive(useMemo(() => queries.pets(), [queries]));
}
