import { useLayoutEffect, useRef, type RefObject } from 'react';
import { useLatest } from './use-latest.ts';

/**
 * Returns a ref of an element that hands the focus on when it goes.
 * @param moveFocus focuses what remains. The element that goes is still in the page.
 */
export function useLeaveFocus<Leaving extends HTMLElement = HTMLDivElement>(
  moveFocus: (leaving: HTMLElement) => void,
): RefObject<Leaving | null> {
  const ref = useRef<Leaving>(null);
  const latest = useLatest(moveFocus);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement) === true) latest(element);
    };
  }, [latest]);
  return ref;
}
