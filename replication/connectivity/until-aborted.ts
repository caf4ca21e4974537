/**
 * Waits for work, which may never end, until the signal is aborted.
 * @param onAborted called then. @throws the signal's reason.
 */
export async function untilAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  onAborted: () => void = () => undefined,
): Promise<Result> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      reject(signal.reason);
      onAborted();
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // The signal may live long, so the listener is removed.
    settled.abort();
  }
}
