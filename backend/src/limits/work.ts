import { isOwnMachine, keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';
import type { Rate } from './rate.ts';

/**
 * The time of the thread that everybody shares.
 *
 * - What a client asks for is measured while it runs, and paid afterwards; who owes too much is refused.
 * - Listeners cost at the commits of others. What those of one client take of one commit has an end.
 * - Programs on this very machine that sign nobody in are not counted.
 */
export interface Work {
  /** @throws {LimitError} */
  run<Result>(client: Client, work: () => Result): Result;
  /** @param event the same object for everything that has one cause, such as a commit. @throws {LimitError} */
  runShare<Result>(client: Client, event: object, work: () => Result): Result;
}

export interface WorkDeps {
  readonly rate: Rate;
  readonly maxShareMs: number;
  readonly elapsedMs: () => number;
}

export function createWork({ rate, maxShareMs, elapsedMs }: WorkDeps): Work {
  const shares = new WeakMap<object, Map<string, number>>();

  const measure = <Result>(work: () => Result, pay: (ms: number) => void): Result => {
    const startMs = elapsedMs();
    try {
      return work();
    } finally {
      pay(elapsedMs() - startMs);
    }
  };

  return {
    run(client, work) {
      if (client.uid === null && isOwnMachine(client.address)) return work();
      const key = keyOf(client);
      const waitMs = rate.waitMs(key, 1);
      if (waitMs > 0) throw new LimitError(waitMs);
      return measure(work, (ms) => rate.add(key, ms));
    },
    runShare(client, event, work) {
      const key = keyOf(client);
      const share = shares.get(event) ?? new Map<string, number>();
      shares.set(event, share);
      const spentMs = share.get(key) ?? 0;
      if (spentMs > maxShareMs) throw new LimitError(maxShareMs);
      return measure(work, (ms) => {
        share.set(key, spentMs + ms);
        rate.add(key, ms);
      });
    },
  };
}
