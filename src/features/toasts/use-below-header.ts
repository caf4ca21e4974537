import { useLayoutEffect, useState } from 'react';

/** The lower edge of the page's header, in pixels from the top; 0 where the page has none. */
export function useBelowHeader(): number {
  const [bottomPx, setBottomPx] = useState(0);
  useLayoutEffect(() => {
    const header = document.querySelector('.app-header');
    if (header === null) return undefined;
    const measure = (): void => setBottomPx(header.getBoundingClientRect().bottom);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(header);
    return () => observer.disconnect();
  }, []);
  return bottomPx;
}
