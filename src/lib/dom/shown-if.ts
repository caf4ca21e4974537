import type { CSSProperties } from 'react';

/**
 * Returns the style of an element that is there, or takes no room. Chromium takes the focus from an element in the moment
 * in which it gets the attribute `hidden`, so that no effect could hand the focus on.
 */
export function shownIf(isShown: boolean): CSSProperties | undefined {
  return isShown ? undefined : { display: 'none' };
}
