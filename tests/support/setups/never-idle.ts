/** For a page before its own code: idle work never comes, so that what is loaded is what the screen needs. */
export function neverIdle(): void {
  window.requestIdleCallback = () => 0;
}
