const focusable = 'a[href], button, input, select, summary, textarea';

/** Focuses the title of the dialog or the article around the element, or else the nearest control before it. */
function focusNear(element: HTMLElement): void {
  const around = element.closest('dialog')?.querySelector('h2') ?? element.closest('article');
  const isBefore = (other: Element): boolean =>
    (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const before = [...document.querySelectorAll<HTMLElement>(focusable)].filter(isBefore);
  for (const place of around === null ? before.toReversed() : [around]) {
    place.focus();
    // A control that is hidden or disabled takes no focus.
    if (document.activeElement === place) return;
  }
}

/**
 * The `ref` of an element that may be removed while it or its content has the focus, which a removal alone would throw
 * back to the start of the page. React runs the returned function while the element is still in the page.
 */
export function keepFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement) === true) focusNear(element);
  };
}
