/** Work that waits for the first rows of a session; null: no session is being opened. */
let held: Set<() => void> | null = null;

/** A screen without rows, and a slow device, must not wait for ever. */
const heldAtMostMs = 1_500;

/**
 * A session is being opened: idle work waits until its first rows are shown. The browser calls a page idle that waits for its
 * database, and what is loaded then delays the rows.
 */
export function holdIdleWork(): void {
  if (held !== null) return;
  held = new Set();
  setTimeout(releaseIdleWork, heldAtMostMs);
}

/** The screen shows rows, or that there are none. */
export function releaseIdleWork(): void {
  const waiting = held;
  held = null;
  for (const begin of waiting ?? []) begin();
}

/** Safari has no `requestIdleCallback`. */
function schedule(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work, { timeout: 2_000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/**
 * Runs work once the first screen is up and the page has a moment.
 * @returns a function that calls it off.
 */
export function whenIdle(work: () => void): () => void {
  if (held === null) return schedule(work);
  let cancel = (): void => {
    held?.delete(begin);
  };
  const begin = (): void => {
    cancel = schedule(work);
  };
  held.add(begin);
  return () => cancel();
}
