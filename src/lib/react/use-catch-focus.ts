import { useLayoutEffect } from 'react';
import { focusHeading } from '../dom/focus-heading.ts';

/**
 * Focuses the heading once a sentence stands in place of what had the focus, as when another device deletes what is shown.
 * @param sentence undefined until there is one.
 */
export function useCatchFocus(sentence: string | undefined): void {
  useLayoutEffect(() => {
    if (sentence !== undefined && document.activeElement === document.body) focusHeading();
  }, [sentence]);
}
