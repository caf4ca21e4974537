/**
 * The second tap of a double tap belongs to the page on which the first was made. If that has led to another page, what lies
 * there by then is not pressed. The browser tells which taps are one double tap: two that are merely quick, as from Back to
 * the menu in its place, are two.
 * @param hrefOf the address by now.
 * @returns a function that ends it.
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
