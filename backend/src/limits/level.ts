import { isOwnMachine, keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';

/**
 * How much of something is in use at once: bytes, sessions, connections.
 *
 * - Each use is a lease that is counted for its owner (or for the stranger at an address), for its address and for all,
 *   until it is released. Programs on this very machine share no address.
 * - Where a shared limit is reached, the one who uses most yields: its largest lease, the oldest of equal ones. Who uses
 *   less than whoever asks never yields, so nobody is made to pay for another.
 */
export interface LevelLimits {
  readonly owner: number;
  readonly stranger: number;
  readonly address: number;
  readonly all: number;
}

export interface Lease {
  /** @throws {LimitError} and keeps the amount that it has. */
  set(amount: number): void;
  /** It belongs to somebody else from now on, and yields no more unless told so. @throws {LimitError} */
  moveTo(client: Client, yielding?: Yielding): void;
  /** Once it has yielded or was released, it stays at nothing. */
  release(): void;
}

interface Yielding {
  readonly onYield: () => void;
  /** Whether it also yields to later leases of the same owner; else those are refused. */
  readonly isReplaceable: boolean;
}

export interface Level {
  /** @throws {LimitError} */
  take(client: Client, amount: number, yielding?: Yielding): Lease;
  /** The amount in use altogether. */
  total(): number;
}

interface Entry {
  client: Client;
  amount: number;
  yielding: Yielding | undefined;
  isOver: boolean;
}

const ALL = 'all';
const RETRY_MS = 5000;

export function createLevel(limits: LevelLimits): Level {
  const totals = new Map<string, number>();
  /** The oldest first. */
  const entries = new Set<Entry>();
  const totalOf = (key: string) => totals.get(key) ?? 0;

  const scopesOf = (client: Client): readonly (readonly [string, number])[] => [
    [keyOf(client), client.uid === null ? limits.stranger : limits.owner],
    ...(isOwnMachine(client.address)
      ? []
      : [[`address ${client.address}`, limits.address] as const]),
    [ALL, limits.all],
  ];

  const add = (entry: Entry, more: number) => {
    entry.amount += more;
    for (const [key] of scopesOf(entry.client)) {
      const total = totalOf(key) + more;
      if (total === 0) totals.delete(key);
      else totals.set(key, total);
    }
  };

  const release = (entry: Entry) => {
    if (entry.isOver) return;
    add(entry, -entry.amount);
    entry.isOver = true;
    entries.delete(entry);
  };

  const largestIn = (scope: string): Entry | undefined => {
    let largest: Entry | undefined;
    let most = 0;
    for (const each of entries) {
      if (each.yielding === undefined || each.amount === 0) continue;
      if (!scopesOf(each.client).some(([key]) => key === scope)) continue;
      const total = totalOf(keyOf(each.client));
      if (total < most || (total === most && each.amount <= (largest?.amount ?? 0))) continue;
      largest = each;
      most = total;
    }
    return largest;
  };

  /** Whether somebody has yielded to the entry. */
  const makeRoom = (entry: Entry, scope: string, more: number): boolean => {
    const own = keyOf(entry.client);
    const mayYield = (each: Entry | undefined) =>
      each !== undefined &&
      (keyOf(each.client) === own
        ? each.yielding?.isReplaceable === true
        : totalOf(keyOf(each.client)) >= totalOf(own) + more);
    const yields = [largestIn(scope), largestIn(own)].find(mayYield);
    if (yields === undefined) return false;
    release(yields);
    yields.yielding?.onYield();
    return !entry.isOver;
  };

  const grow = (entry: Entry, more: number) => {
    if (more > 0) {
      for (const [key, limit] of scopesOf(entry.client)) {
        while (totalOf(key) + more > limit) {
          if (!makeRoom(entry, key, more)) throw new LimitError(RETRY_MS);
        }
      }
    }
    add(entry, more);
  };

  return {
    total: () => totalOf(ALL),
    take(client, amount, yielding) {
      const entry: Entry = { client, amount: 0, yielding, isOver: false };
      grow(entry, amount);
      entries.add(entry);
      return {
        set(next) {
          if (!entry.isOver) grow(entry, next - entry.amount);
        },
        moveTo(next, nextYielding) {
          if (entry.isOver) throw new LimitError(RETRY_MS);
          const { amount: moved, client: former } = entry;
          add(entry, -moved);
          entry.client = next;
          try {
            grow(entry, moved);
          } catch (error) {
            entry.client = former;
            add(entry, moved);
            throw error;
          }
          entry.yielding = nextYielding;
        },
        release: () => release(entry),
      };
    },
  };
}
