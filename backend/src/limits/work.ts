import { isOwnMachine, keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';
import type { Rate } from './rate.ts';

export interface WorkDeps {
  readonly rates: { readonly owner: Rate; readonly stranger: Rate };
  readonly maxShareMs: number;
  readonly elapsedMs: () => number;
}

const isFree = ({ uid, address }: Client): boolean => uid === null && isOwnMachine(address);

export type Work = ReturnType<typeof createWork>;

/**
 * Accounts for the time of the thread that all clients share.
 *
 * - The work of a client is measured while it runs and charged afterwards; a client over its rate is refused.
 * - Work within other work is part of it, and is charged once.
 * - Listeners cost time at the commits of other clients. The time that one client's listeners take of a commit is limited.
 * - Requests of anonymous programs on this machine are not charged.
 */
export function createWork({ rates, maxShareMs, elapsedMs }: WorkDeps) {
  const shares = new WeakMap<object, Map<string, number>>();
  let isMeasuring = false;
  const rateOf = ({ uid }: Client): Rate => (uid === null ? rates.stranger : rates.owner);

  /** Charges time that was not measured. */
  const charge = (client: Client, spentMs: number): void => {
    if (!isFree(client)) rateOf(client).add(keyOf(client), spentMs);
  };

  /** Runs and charges the work, and never refuses it. */
  const measure = <Result>(client: Client, work: () => Result): Result => {
    if (isMeasuring) return work();
    const startMs = elapsedMs();
    isMeasuring = true;
    try {
      return work();
    } finally {
      isMeasuring = false;
      charge(client, elapsedMs() - startMs);
    }
  };

  return {
    measure,
    charge,
    /** @throws {LimitError} when the client is over its rate. */
    check(client: Client) {
      const waitMs = isFree(client) ? 0 : rateOf(client).waitMs(keyOf(client), 1);
      if (waitMs > 0) throw new LimitError(waitMs);
    },
    /** Returns the milliseconds that the client has used lately. */
    usedMs: (client: Client) => rateOf(client).used(keyOf(client)),
    /**
     * Returns how long the client rests after that much work: once it has used half of what it may use at once, until the
     * time has been given back.
     */
    restMs(client: Client, spentMs: number) {
      const { burst, everyMs } = rateOf(client).limits;
      return rateOf(client).used(keyOf(client)) > burst / 2 ? spentMs * everyMs : 0;
    },
    /**
     * Runs work that counts towards the client's share of an event.
     *
     * @param event the same object for all work that has one cause, such as a commit.
     * @param work long work calls `check` regularly, which throws once the share is used up.
     * @throws {LimitError} when the share is used up.
     */
    runShare<Result>(client: Client, event: object, work: (check: () => void) => Result): Result {
      const key = keyOf(client);
      const share = shares.get(event) ?? new Map<string, number>();
      shares.set(event, share);
      const spentMs = share.get(key) ?? 0;
      const startMs = elapsedMs();
      const checkShare = () => {
        if (spentMs + elapsedMs() - startMs > maxShareMs) throw new LimitError(maxShareMs);
      };
      checkShare();
      try {
        return measure(client, () => work(checkShare));
      } finally {
        share.set(key, spentMs + elapsedMs() - startMs);
      }
    },
  };
}
