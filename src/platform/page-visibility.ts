export function isPageVisible(): boolean {
  return document.visibilityState === 'visible';
}

/** Calls `onReturn` when the page becomes visible. @returns a function that stops watching. */
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

/**
 * Calls `onLeave` when the page is hidden or closed, which may be its last moment. @returns a function that stops
 * watching.
 */
export function watchLeavingPage(onLeave: () => void): () => void {
  const report = (): void => {
    if (!isPageVisible()) onLeave();
  };
  document.addEventListener('visibilitychange', report);
  return () => document.removeEventListener('visibilitychange', report);
}

/**
 * Calls `onThaw` when the page resumes. Chromium freezes hidden pages, which then receive no messages, from other tabs
 * either.
 * @returns a function that stops watching.
 */
export function watchPageResume(onThaw: () => void): () => void {
  document.addEventListener('resume', onThaw);
  return () => document.removeEventListener('resume', onThaw);
}
