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
  const cancels: (() => void)[] = [];
  const tooLate = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new RemoteError('transient', 'timeout'));
    cancels.push(clock.after(timeoutMs, giveUp));
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    for (const cancel of cancels) cancel();
  }
}
