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

/** Returns the visual viewport; null if the whole page is visible, or it is zoomed. */
function covered(): VisualViewport | null {
  const viewport = window.visualViewport;
  return viewport?.scale === 1 && viewport.height < window.innerHeight ? viewport : null;
}

/**
 * Returns the part of the page above an on-screen keyboard, in pixels. Chromium and Firefox resize the page instead
 * (`interactive-widget`); Safari overlays the page with its keyboard, and scrolls the page under it.
 */
export function useVisibleArea(): { readonly topPx: number; readonly heightPx: number | null } {
  return {
    topPx: useSyncExternalStore(subscribe, () => covered()?.offsetTop ?? 0),
    heightPx: useSyncExternalStore(subscribe, () => covered()?.height ?? null),
  };
}
