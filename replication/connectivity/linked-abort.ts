/**
 * Creates a controller that is aborted with any of the signals. `AbortSignal.any` exists on iOS only since 17.4. Call
 * `unlink` when done, since the signals may live long.
 */
export function linkAbort(...signals: readonly AbortSignal[]) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    abort,
    unlink: (): void => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
