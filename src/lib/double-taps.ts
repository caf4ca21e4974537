/** Two taps that are nearer to each other, in time and place, are one double tap. */
const quickMs = 250;
const nearPx = 24;

interface Tap {
  readonly atMs: number;
  readonly x: number;
  readonly y: number;
  /** The address at which it was made. */
  readonly href: string;
}

function isDouble(one: Tap, other: Tap): boolean {
  const isNear = Math.abs(one.x - other.x) < nearPx && Math.abs(one.y - other.y) < nearPx;
  return isNear && other.atMs - one.atMs < quickMs;
}

/**
 * The second tap of a double tap belongs to the page on which the first was made. If that has led to another page, what lies
 * there by then is not pressed.
 * @param hrefOf the address by now.
 * @returns a function that ends it.
 */
export function ignoreLateTaps(page: Document, hrefOf: () => string): () => void {
  let last: Tap | null = null;
  const onClick = (event: MouseEvent): void => {
    // The keyboard's clicks have no place.
    if (event.detail === 0) return;
    const tap = { atMs: event.timeStamp, x: event.clientX, y: event.clientY, href: hrefOf() };
    if (last !== null && last.href !== tap.href && isDouble(last, tap)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    last = tap;
  };
  page.addEventListener('click', onClick, true);
  return () => page.removeEventListener('click', onClick, true);
}
