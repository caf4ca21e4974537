interface CloseWatcher extends EventTarget {
  destroy(): void;
}

declare global {
  /** Missing in Firefox and Safari. */
  var CloseWatcher: (new () => CloseWatcher) | undefined;
}

/**
 * Calls back when the system asks to close what is open, as Android's Back button does even where there is no page to go
 * back to.
 * @returns a function that stops it.
 */
export function onCloseRequest(close: () => void): () => void {
  if (globalThis.CloseWatcher === undefined) return () => undefined;
  const watcher = new globalThis.CloseWatcher();
  watcher.addEventListener('close', close);
  return () => watcher.destroy();
}
