/**
 * Runs in a page before its own code. It disables idle callbacks, so that the page loads only the code that the screen
 * needs.
 */
export function neverIdle(): void {
  window.requestIdleCallback = () => 0;
}
