/**
 * Ignores the second tap of a double tap if the first one has navigated to another page, because the new page may have
 * another control there. The browser tells which taps are a double tap: two that are merely quick, as on Back and then
 * on the menu in its place, are two taps.
 * @param hrefOf returns the current address.
 * @returns a function that stops ignoring.
 */
export function ignoreLateTaps(page: Document, hrefOf: () => string): () => void {
  let tappedAt = hrefOf();
  const onClick = (event: MouseEvent): void => {
    const isRepeated = event.detail > 1;
    if (!isRepeated) tappedAt = hrefOf();
    if (!isRepeated || hrefOf() === tappedAt) return;
    event.preventDefault();
    event.stopPropagation();
  };
  page.addEventListener('click', onClick, true);
  return () => page.removeEventListener('click', onClick, true);
}
