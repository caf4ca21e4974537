import { historyStep } from '../features/shell/history-step.ts';
import { focusHeading } from '../lib/dom/focus-heading.ts';
import type { createAppRouter } from './router.ts';

type Router = Pick<ReturnType<typeof createAppRouter>, 'subscribe'>;

const nothing = (): void => undefined;

/** Whether the page or its owner has moved the focus meanwhile. */
function isPlaced(before: Element | null): boolean {
  const { activeElement: active } = document;
  if (active === null || active === before || active.matches('body, main')) return false;
  return active.closest('main, dialog') !== null;
}

/** Focuses the link of the page that leads to the address. @returns whether there is one. */
function focusLinkTo(href: string): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main a')];
  const link = links.find((each) => each.getAttribute('href') === href);
  link?.focus({ preventScroll: true });
  return link !== undefined;
}

interface Placement {
  readonly before: Element | null;
  /** The address of the page that the owner has come back from. */
  readonly backFrom: string | undefined;
}

/** Places the focus as soon as there is a heading. @returns a function that stops waiting. */
function awaitHeading({ before, backFrom }: Placement): () => void {
  const attempt = (): boolean =>
    isPlaced(before) || (backFrom !== undefined && focusLinkTo(backFrom)) || focusHeading();
  if (attempt()) return nothing;
  const observer = new MutationObserver(() => {
    if (attempt()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * Focuses the heading of the new page after a navigation, so that a screen reader announces it and Tab continues from
 * there.
 *
 * - After a step back, the link that led to the page left is focused instead, if it is still there.
 * - A page that focuses an element itself, as a dialog does, is left alone; so is an owner who has moved the focus
 *   meanwhile.
 * - Until there is a heading, the page's main part has the focus.
 * - The first page is left to the browser.
 *
 * @returns a function that stops following.
 */
export function followPages(router: Router): () => void {
  let before: Element | null = null;
  let stopWaiting = nothing;
  const ends = [
    router.subscribe('onBeforeNavigate', () => {
      before = document.activeElement;
    }),
    router.subscribe('onRendered', ({ pathChanged, fromLocation, toLocation }) => {
      // A navigation within the page, as after a sign-out, leaves its heading to be awaited.
      if (!pathChanged || fromLocation === undefined) return;
      stopWaiting();
      const isBack = historyStep(toLocation) < historyStep(fromLocation);
      stopWaiting = awaitHeading({ before, backFrom: isBack ? fromLocation.href : undefined });
    }),
  ];
  return () => {
    stopWaiting();
    for (const end of ends) end();
  };
}
