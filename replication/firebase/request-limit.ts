import { linkAbort } from '../connectivity/linked-abort.ts';
import { RemoteError, type Clock } from '../ports.ts';

export interface RequestLimit {
  readonly clock: Pick<Clock, 'after'>;
  readonly timeoutMs: number;
  /** The signal of the caller. Once it is aborted, its own reason is thrown. */
  readonly signal: AbortSignal;
}

function toRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError('transient', 'unavailable', { cause: error });
}

/**
 * Aborts a request that exceeds the time limit, also while its body is read, since a body can stall as well.
 * @throws {RemoteError} and, once aborted, the signal's reason.
 */
export async function withinLimit<Result>(
  { clock, timeoutMs, signal }: RequestLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const either = linkAbort(signal, limit.signal);
  const cancel = clock.after(timeoutMs, () => limit.abort());
  try {
    return await work(either.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) throw new RemoteError('transient', 'timeout', { cause: error });
    throw toRemoteError(error);
  } finally {
    cancel();
    either.unlink();
  }
}
