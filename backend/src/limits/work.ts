import { isOwnMachine, keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';
import type { Rate } from './rate.ts';

/**
 * Accounts for the time of the thread that all clients share.
 *
 * - The work of a client is measured while it runs and charged afterwards; a client over its rate is refused.
 * - Listeners cost time at the commits of other clients. The time that one client's listeners take of a commit is limited.
 * - Requests of anonymous programs on this machine are not charged.
 */
export interface Work {
  /** @throws {LimitError} when the client is over its rate. */
  check(client: Client): void;
  /** Runs and charges the work, and never refuses it. */
  measure<Result>(client: Client, work: () => Result): Result;
  /** Runs and charges the work. @throws {LimitError} when the client is over its rate. */
  run<Result>(client: Client, work: () => Result): Result;
  /**
   * Runs work that counts towards the client's share of an event.
   *
   * @param event the same object for all work that has one cause, such as a commit.
   * @param work long work calls `check` regularly, which throws once the share is used up.
   * @throws {LimitError} when the share is used up.
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

  const check = (client: Client): void => {
    const waitMs = isFree(client) ? 0 : rate.waitMs(keyOf(client), 1);
    if (waitMs > 0) throw new LimitError(waitMs);
  };

  return {
    check,
    measure,
    run(client, work) {
      check(client);
      return measure(client, work);
    },
    runShare(client, event, work) {
      const key = keyOf(client);
      const share = shares.get(event) ?? new Map<string, number>();
      shares.set(event, share);
      const spentMs = share.get(key) ?? 0;
      const startMs = elapsedMs();
      const checkShare = () => {
        if (spentMs + elapsedMs() - startMs > maxShareMs) throw new LimitError(maxShareMs);
      };
      checkShare();
      return timed(
        () => work(checkShare),
        (ms) => {
          share.set(key, spentMs + ms);
          rate.add(key, ms);
        },
      );
    },
  };
}
