import { untilAborted } from '../connectivity/until-aborted.ts';
import { RemoteError, type Clock } from '../ports.ts';

/** The limit is longer than the server's own 15 s, so that an answer in flight is not abandoned. */
const requestTimeoutMs = 30_000;

/**
 * Rejects with a time-out if the work has not ended in time. It may still take effect: sync tolerates lost answers.
 */
export async function withDeadline<Result>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Result>,
  timeoutMs = requestTimeoutMs,
): Promise<Result> {
  const late = new AbortController();
  const giveUp = (): void => late.abort(new RemoteError('transient', 'timeout'));
  const cancel = clock.after(timeoutMs, giveUp);
  try {
    return await untilAborted(late.signal, work);
  } finally {
    cancel();
  }
}
