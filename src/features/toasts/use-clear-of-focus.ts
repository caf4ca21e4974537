import { useLayoutEffect, useState, type RefObject } from 'react';
import { clearOf } from '../../lib/clear-of.ts';

/** How far what lies in the element must move down, in pixels, so that it never covers what has the focus. */
export function useClearOfFocus(ref: RefObject<HTMLElement | null>): number {
  const [shiftPx, setShiftPx] = useState(0);

  useLayoutEffect(() => {
    const measure = (): void => {
      const region = ref.current;
      const focused = document.activeElement;
      if (region === null || focused === null) return;
      if (focused === document.body || region.contains(focused)) return;
      const box = region.getBoundingClientRect();
      setShiftPx(clearOf(box, focused.getBoundingClientRect(), window.innerHeight));
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
