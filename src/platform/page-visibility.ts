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
