export function isPageVisible(): boolean {
  return document.visibilityState === 'visible';
}

/** @returns a function that stops watching. */
export function watchReturnToPage(onReturn: () => void): () => void {
  const report = (): void => {
    if (isPageVisible()) onReturn();
  };
  document.addEventListener('visibilitychange', report);
  window.addEventListener('focus', report);
  return () => {
    document.removeEventListener('visibilitychange', report);
    window.removeEventListener('focus', report);
  };
}

/** The page is hidden or closed; there may be no later moment. @returns a function that stops watching. */
export function watchLeavingPage(onLeave: () => void): () => void {
  const report = (): void => {
    if (!isPageVisible()) onLeave();
  };
  document.addEventListener('visibilitychange', report);
  return () => document.removeEventListener('visibilitychange', report);
}

/**
 * Chromium stops pages that nobody looks at; a stopped page is told nothing, by other tabs either.
 * @returns a function that stops watching.
 */
export function watchPageResume(onThaw: () => void): () => void {
  document.addEventListener('resume', onThaw);
  return () => document.removeEventListener('resume', onThaw);
}
