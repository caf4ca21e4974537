import { useLayoutEffect, useRef, type RefObject } from 'react';
import { useLatest } from './use-latest.ts';

/** Returns a ref of an element that hands the focus on when it goes. @param moveFocus focuses what remains. */
export function useLeaveFocus(moveFocus: () => void): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const latest = useLatest(moveFocus);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element?.contains(document.activeElement) === true) latest();
    };
  }, [latest]);
  return ref;
}
