import { useLayoutEffect, useState } from 'react';
import { avoidOverlap } from '../../lib/dom/avoid-overlap.ts';

/**
 * Returns the distance in pixels that the content of an element must move down so that it does not cover the focused
 * element.
 */
export function useAvoidFocus(region: HTMLElement | null): number {
  const [shiftPx, setShiftPx] = useState(0);

  useLayoutEffect(() => {
    if (region === null) return undefined;
    const measure = (): void => {
      const focused = document.activeElement;
      if (focused === null) return;
      if (focused === document.body || region.contains(focused)) return;
      const box = region.getBoundingClientRect();
      setShiftPx(avoidOverlap(box, focused.getBoundingClientRect(), window.innerHeight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(region);
    document.addEventListener('focusin', measure);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', measure);
      window.removeEventListener('resize', measure);
    };
  }, [region]);

  return shiftPx;
}
