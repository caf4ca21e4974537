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

/** Milliseconds after a navigation in which the link to the page left may still come, as in a list that is read. */
const linkLimitMs = 1_000;

interface Placement {
  readonly before: Element | null;
  /** The address of the page that the owner has come back from. */
  readonly backFrom: string | undefined;
  /** The label of the button whose menu led there; null if none did. */
  readonly openedBy: string | null;
}

/** Returns the label of the button that has got the focus back from its menu, by which it is found later. */
function labelOfMenu(focused: Element | null): string | null {
  return focused?.matches('[aria-haspopup=menu]') === true
    ? focused.getAttribute('aria-label')
    : null;
}

/** Focuses the link, or the button of the menu, that has led to the page left. @returns whether there is one. */
function focusLink({ before, backFrom, openedBy }: Placement): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('main a, main [aria-haspopup=menu]')];
  const link =
    links.find((each) => each.getAttribute('href') === backFrom) ??
    links.find((each) => openedBy !== null && each.getAttribute('aria-label') === openedBy);
  // Browsers show the focus after that of a text field, which says nothing about how the owner moves.
  const shown = before?.matches('input, textarea') === true ? { focusVisible: false } : {};
  link?.focus({ preventScroll: true, ...shown });
  return link !== undefined && document.activeElement === link;
}

/** Places the focus as soon as there is a heading. @returns a function that stops waiting. */
function awaitHeading(placement: Placement): () => void {
  const { before, backFrom } = placement;
  const linkEndMs = performance.now() + linkLimitMs;
  let heading: Element | null = null;
  const attempt = (): boolean => {
    const { activeElement } = document;
    const isOnHeading = heading !== null && activeElement === heading;
    const isLinkAwaited = backFrom !== undefined && performance.now() < linkEndMs;
    // A heading that was rendered anew has lost the focus without its owner.
    const isLeft = heading?.isConnected === true && !isOnHeading;
    if (heading === null ? isPlaced(before) : isLeft || !isLinkAwaited) return true;
    if (isLinkAwaited && focusLink(placement)) return true;
    if (!isOnHeading && !focusHeading()) return false;
    heading = document.activeElement;
    return !isLinkAwaited;
  };
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
 * - After a step back, the link that led to the page left, or the button of the menu that did, is focused instead, if it
 *   is still there.
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
  /** The labels of the buttons whose menus led further, by the step of the history that they were on. */
  const openers = new Map<number, string | null>();
  const ends = [
    router.subscribe('onBeforeNavigate', ({ fromLocation, toLocation }) => {
      before = document.activeElement;
      if (fromLocation === undefined || historyStep(toLocation) <= historyStep(fromLocation))
        return;
      openers.set(historyStep(fromLocation), labelOfMenu(before));
    }),
    router.subscribe('onRendered', ({ pathChanged, fromLocation, toLocation }) => {
      // A navigation within the page, as after a sign-out, leaves its heading to be awaited.
      if (!pathChanged || fromLocation === undefined) return;
      stopWaiting();
      const isBack = historyStep(toLocation) < historyStep(fromLocation);
      const backFrom = isBack ? fromLocation.href : undefined;
      const openedBy = isBack ? (openers.get(historyStep(toLocation)) ?? null) : null;
      stopWaiting = awaitHeading({ before, backFrom, openedBy });
    }),
  ];
  return () => {
    stopWaiting();
    for (const end of ends) end();
  };
}
