/** The work that waits for the first rows of a session; null while no session is being opened. */
let held: Set<() => void> | null = null;

/** The maximum wait, for screens without rows and for slow devices. */
const heldAtMostMs = 1_500;

/**
 * Delays idle work until the first rows of a session are shown. A page that waits for its database counts as idle, and
 * code that loads then delays the rows.
 */
export function holdIdleWork(): void {
  if (held !== null) return;
  held = new Set();
  setTimeout(releaseIdleWork, heldAtMostMs);
}

/** Starts the delayed work, once the screen shows rows, or that there are none. */
export function releaseIdleWork(): void {
  const waiting = held;
  held = null;
  for (const begin of waiting ?? []) begin();
}

/** Schedules idle work; Safari has no `requestIdleCallback`. */
function schedule(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work, { timeout: 2_000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/**
 * Runs work once the first screen is shown and the page is idle.
 * @returns a function that cancels it.
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
