export interface Span {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const gapPx = 8;

function touches(one: Span, other: Span): boolean {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}

/**
 * Returns the distance that a floating box must move down so that it does not cover the focused element.
 * @param box its place when it is not moved.
 * @returns pixels; 0 if it does not overlap, or there is no room below.
 */
export function avoidOverlap(box: Span, focused: Span, viewportHeight: number): number {
  if (!touches(box, focused)) return 0;
  const shift = focused.bottom + gapPx - box.top;
  return box.bottom + shift <= viewportHeight ? shift : 0;
}
