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
 * How far down a floating box must move so that it does not lie on what is focused.
 * @param box where it lies when it is not moved. @returns pixels; 0 if it is not in the way, or there is no room below.
 */
export function avoidOverlap(box: Span, focused: Span, viewportHeight: number): number {
  if (!touches(box, focused)) return 0;
  const shift = focused.bottom + gapPx - box.top;
  return box.bottom + shift <= viewportHeight ? shift : 0;
}
