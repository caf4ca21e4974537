/**
 * Keeps the focus in an element while a link or button elsewhere is pressed, if the media query matches. For a layout that
 * depends on that focus: it would change between the press and its release, so that the click would meet something else.
 * @returns a function that ends it.
 */
export function keepFocusWhilePressed(element: HTMLElement, mediaQuery: string): () => void {
  const keep = (event: MouseEvent): void => {
    const control = event.target instanceof Element ? event.target.closest('a, button') : null;
    if (control === null || element.contains(control)) return;
    if (element.contains(document.activeElement) && matchMedia(mediaQuery).matches)
      event.preventDefault();
  };
  document.addEventListener('mousedown', keep);
  return () => document.removeEventListener('mousedown', keep);
}
