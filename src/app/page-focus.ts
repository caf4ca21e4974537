import type { createAppRouter } from './router.ts';

type Router = Pick<ReturnType<typeof createAppRouter>, 'subscribe'>;

const nothing = (): void => undefined;

/** Something that nobody can operate takes the focus for as long as it has it. */
function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** The page has put the focus somewhere itself, or its owner has. */
function isPlaced(before: Element | null): boolean {
  const { activeElement: active } = document;
  if (active === null || active === before || active.matches('body, main')) return false;
  return active.closest('main, dialog') !== null;
}

/** @returns a function that stops waiting for the heading. */
function focusHeading(before: Element | null): () => void {
  const attempt = (): boolean => {
    if (isPlaced(before)) return true;
    const heading = document.querySelector('h1');
    const target = heading ?? document.querySelector('main');
    if (target !== null) focusOn(target);
    return heading !== null;
  };
  if (attempt()) return nothing;
  const observer = new MutationObserver(() => {
    if (attempt()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * After a navigation the focus is on the heading of the new page: a screen reader reads it, and Tab goes on from there.
 *
 * - A page that focuses something itself, as a dialog does, is left alone; so is an owner who has gone on meanwhile.
 * - Until there is a heading, the page's main part stands in.
 * - The first page is the browser's business.
 *
 * @returns a function that ends it.
 */
export function followPages(router: Router): () => void {
  let before: Element | null = null;
  let stopWaiting = nothing;
  const ends = [
    router.subscribe('onBeforeNavigate', () => {
      stopWaiting();
      before = document.activeElement;
    }),
    router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      stopWaiting();
      if (pathChanged && fromLocation !== undefined) stopWaiting = focusHeading(before);
    }),
  ];
  return () => {
    stopWaiting();
    for (const end of ends) end();
  };
}
