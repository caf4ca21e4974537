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
  /** Refuses nothing. */
  measure<Result>(client: Client, work: () => Result): Result;
  /** @throws {LimitError} */
  run<Result>(client: Client, work: () => Result): Result;
  /**
   * @param event the same object for everything that has one cause, such as a commit.
   * @param work calls `check` now and then when it is long, which ends it with the share. @throws {LimitError}
   */
  runShare<Result>(client: Client, event: object, work: (check: () => void) => Result): Result;
}

export interface WorkDeps {
  readonly rate: Rate;
  readonly maxShareMs: number;
  readonly elapsedMs: () => number;
}

const isFree = ({ uid, address }: Client): boolean => uid === null && isOwnMachine(address);

export function createWork({ rate, maxShareMs, elapsedMs }: WorkDeps): Work {
  const shares = new WeakMap<object, Map<string, number>>();

  const timed = <Result>(work: () => Result, pay: (ms: number) => void): Result => {
    const startMs = elapsedMs();
    try {
      return work();
    } finally {
      pay(elapsedMs() - startMs);
    }
  };
  const measure = <Result>(client: Client, work: () => Result): Result =>
    isFree(client) ? work() : timed(work, (ms) => rate.add(keyOf(client), ms));

  return {
    measure,
    run(client, work) {
      const waitMs = isFree(client) ? 0 : rate.waitMs(keyOf(client), 1);
      if (waitMs > 0) throw new LimitError(waitMs);
      return measure(client, work);
    },
    runShare(client, event, work) {
      const key = keyOf(client);
      const share = shares.get(event) ?? new Map<string, number>();
      shares.set(event, share);
      const spentMs = share.get(key) ?? 0;
      const startMs = elapsedMs();
      const check = () => {
        if (spentMs + elapsedMs() - startMs > maxShareMs) throw new LimitError(maxShareMs);
      };
      check();
      return timed(
        () => work(check),
        (ms) => {
          share.set(key, spentMs + ms);
          rate.add(key, ms);
        },
      );
    },
  };
}
