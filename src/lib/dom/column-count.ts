import { useMediaQuery } from './media-query.ts';

/**
 * How many columns there is room for: the page itself, from two on a column to its left, with three one to its right as well.
 * `app.css` lays them out at the same widths.
 */
export function useColumnCount(): 1 | 2 | 3 {
  const hasLeft = useMediaQuery('(min-width: 48rem)');
  const hasRight = useMediaQuery('(min-width: 64rem)');
  if (hasRight) return 3;
  return hasLeft ? 2 : 1;
}
