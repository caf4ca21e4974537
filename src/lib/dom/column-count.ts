import { useMediaQuery } from './media-query.ts';

/**
 * Returns the number of columns that fit: the page itself, with two also the left column, with three also the right
 * one. `app.css` has the same widths.
 */
export function useColumnCount(): 1 | 2 | 3 {
  const hasLeft = useMediaQuery('(min-width: 48rem)');
  const hasRight = useMediaQuery('(min-width: 64rem)');
  if (hasRight) return 3;
  return hasLeft ? 2 : 1;
}
