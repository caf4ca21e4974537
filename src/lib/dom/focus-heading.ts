/** Focuses an element that is not interactive, and makes it focusable only for that time. */
export function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** Focuses the heading of the page, or its main part if it has none yet. @returns whether there is a heading. */
export function focusHeading(): boolean {
  const heading = document.querySelector('h1');
  const target = heading ?? document.querySelector('main');
  if (target !== null) focusOn(target);
  return heading !== null;
}
