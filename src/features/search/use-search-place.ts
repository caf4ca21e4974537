import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useData } from '../../data/data-context.ts';
import { createStepMemory } from '../../lib/step-memory.ts';

/** The search parameters of the page's address. */
export interface SearchParams {
  readonly q?: string | undefined;
  /** The id of a dog. */
  readonly pet?: string | undefined;
  readonly kind?: string | undefined;
}

/** The number of hits for one and a half screens. More would delay each keystroke on a slow phone. */
export const hitsPerPage = 15;

/** How a page of hits was left. */
interface Place {
  /** The maximum number of hits. */
  readonly limit: number;
  readonly scrollTop: number;
}

export interface SearchPlace {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly limit: number;
  readonly setLimit: (limit: number) => void;
  /** Whether the hits of this query were left before. */
  readonly isReturn: boolean;
  /** Scrolls to where the hits were left, once they are shown. */
  readonly restore: () => void;
}

const places = createStepMemory<Place>();

/**
 * Keeps the number of hits and the scroll position of each query of this visit. A step back restores the query by the
 * address, and with it the place.
 */
export function useSearchPlace({ q, pet, kind }: SearchParams): SearchPlace {
  const { visit } = useData();
  const key = [q, pet, kind].join(' ');
  const [left] = useState(() => places.get(visit, key));
  const [limit, setLimit] = useState(left?.limit ?? hitsPerPage);
  const scroller = useRef<HTMLDivElement>(null);
  const isRestored = useRef(false);

  const keep = useEffectEvent((scrollTop: number) => {
    // Without words there are no hits, and the next visit is a new one.
    if (q !== undefined && q !== '') places.set(visit, key, { limit, scrollTop });
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => keep(element?.scrollTop ?? 0);
  }, []);

  const restore = (): void => {
    if (isRestored.current) return;
    isRestored.current = true;
    if (left !== undefined && scroller.current !== null)
      scroller.current.scrollTop = left.scrollTop;
  };
  return { scroller, limit, setLimit, isReturn: left !== undefined, restore };
}
