import { useSyncExternalStore } from 'react';

function watchModals(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}

function topmostModal(): Element {
  return [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
}

/** Returns the topmost open modal, because the page outside it is inert; the body if there is none. */
export function useTopmostModal(): Element {
  return useSyncExternalStore(watchModals, topmostModal);
}
