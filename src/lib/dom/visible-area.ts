import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', onChange);
  viewport?.addEventListener('scroll', onChange);
  return () => {
    viewport?.removeEventListener('resize', onChange);
    viewport?.removeEventListener('scroll', onChange);
  };
}

/** null: all of the page can be seen, or it is zoomed into. */
function covered(): VisualViewport | null {
  const viewport = window.visualViewport;
  return viewport?.scale === 1 && viewport.height < window.innerHeight ? viewport : null;
}

/**
 * The part of the page that an on-screen keyboard leaves free, in pixels. Chromium and Firefox make the page smaller instead
 * (`interactive-widget`); Safari lays its keyboard over the page, and moves what is under it.
 */
export function useVisibleArea(): { readonly topPx: number; readonly heightPx: number | null } {
  return {
    topPx: useSyncExternalStore(subscribe, () => covered()?.offsetTop ?? 0),
    heightPx: useSyncExternalStore(subscribe, () => covered()?.height ?? null),
  };
}
