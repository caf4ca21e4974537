import { useLayoutEffect, useState, type RefObject } from 'react';
import { avoidOverlap } from '../../lib/dom/avoid-overlap.ts';

/**
 * Returns the distance in pixels that the content of an element must move down so that it does not cover the focused
 * element.
 */
export function useAvoidFocus(ref: RefObject<HTMLElement | null>): number {
  const [shiftPx, setShiftPx] = useState(0);

  useLayoutEffect(() => {
    const measure = (): void => {
      const region = ref.current;
      const focused = document.activeElement;
      if (region === null || focused === null) return;
      if (focused === document.body || region.contains(focused)) return;
      const box = region.getBoundingClientRect();
      setShiftPx(avoidOverlap(box, focused.getBoundingClientRect(), window.innerHeight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (ref.current !== null) observer.observe(ref.current);
    document.addEventListener('focusin', measure);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', measure);
      window.removeEventListener('resize', measure);
    };
  }, [ref]);

  return shiftPx;
}
