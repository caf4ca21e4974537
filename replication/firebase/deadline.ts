import { RemoteError, type Clock } from '../ports.ts';

/** Longer than the 15 s the server gives itself, so that an answer on its way is not given up. */
const requestTimeoutMs = 30_000;

/** Work that has not ended by then counts as unanswered. It may still take effect: sync is built for lost answers. */
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
