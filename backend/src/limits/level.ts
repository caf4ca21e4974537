import { isOwnMachine, keyOf, type Client } from './client.ts';
import { LimitError } from './limit-error.ts';

/** The highest amounts in use at once: per signed-in owner, per stranger, per network address, and in total. */
export interface LevelLimits {
  readonly owner: number;
  readonly stranger: number;
  readonly address: number;
  readonly all: number;
}

export interface Lease {
  /** Changes the amount. @throws {LimitError} and then keeps the former amount. */
  set(amount: number): void;
  /** Charges the lease to another client; it yields from now on only if `yielding` is given. @throws {LimitError} */
  moveTo(client: Client, yielding?: Yielding): void;
  /** Sets the amount to zero for good, as yielding does. It is idempotent. */
  release(): void;
}

interface Yielding {
  readonly onYield: () => void;
  /** Whether the lease also yields to later leases of the same owner; otherwise those are refused. */
  readonly isReplaceable: boolean;
}

interface Entry {
  /** The limits that it counts towards, with the keys of their totals: that of its client is the first. */
  scopes: Scopes;
  amount: number;
  yielding: Yielding | undefined;
  isOver: boolean;
}

type Scope = readonly [key: string, limit: number];
type Scopes = readonly [Scope, ...Scope[]];

const allKey = 'all';
const retryMs = 5000;

/**
 * Limits how much of a resource is in use at once: bytes, sessions, connections.
 *
 * - Each use is a lease that is charged to its owner (or to the stranger at an address), to its address and to the total
 *   until it is released. Programs on this machine have no limit by address.
 * - When a shared limit is reached, the client that uses most yields: its largest lease, or the oldest of equal ones. A
 *   client that uses less than the requesting one never yields, so no client pays for another. Replaceable leases yield
 *   before others.
 */
export function createLevel(limits: LevelLimits) {
  const totals = new Map<string, number>();
  /** The open entries of each scope, the oldest first. */
  const entries = new Map<string, Set<Entry>>();
  const totalOf = (key: string) => totals.get(key) ?? 0;

  const scopesOf = (client: Client): Scopes => [
    [keyOf(client), client.uid === null ? limits.stranger : limits.owner],
    ...(isOwnMachine(client.address)
      ? []
      : [[`address ${client.address}`, limits.address] as const]),
    [allKey, limits.all],
  ];
  const ownKeyOf = ({ scopes: [[key]] }: Entry): string => key;

  const add = (entry: Entry, more: number) => {
    entry.amount += more;
    for (const [key] of entry.scopes) {
      const total = totalOf(key) + more;
      if (total === 0) totals.delete(key);
      else totals.set(key, total);
    }
  };

  const enter = (entry: Entry) => {
    for (const [key] of entry.scopes) {
      const open = entries.get(key);
      if (open === undefined) entries.set(key, new Set([entry]));
      else open.add(entry);
    }
  };

  const leave = (entry: Entry) => {
    for (const [key] of entry.scopes) {
      const open = entries.get(key);
      open?.delete(entry);
      if (open?.size === 0) entries.delete(key);
    }
  };

  const release = (entry: Entry) => {
    if (entry.isOver) return;
    add(entry, -entry.amount);
    entry.isOver = true;
    leave(entry);
  };

  const largestIn = (scope: string, isReplaceable?: true): Entry | undefined => {
    let largest: Entry | undefined;
    let most = 0;
    for (const each of entries.get(scope) ?? []) {
      if (each.yielding === undefined || each.amount === 0) continue;
      if (isReplaceable && !each.yielding.isReplaceable) continue;
      const total = totalOf(ownKeyOf(each));
      if (total < most || (total === most && each.amount <= (largest?.amount ?? 0))) continue;
      largest = each;
      most = total;
    }
    return largest;
  };

  /** Makes another entry yield; returns whether one did and this entry is still open. */
  const makeRoom = (entry: Entry, scope: string, more: number): boolean => {
    const own = ownKeyOf(entry);
    const ifMayYield = (each: Entry | undefined) => {
      if (each === undefined) return undefined;
      const mayYield =
        ownKeyOf(each) === own
          ? each.yielding?.isReplaceable === true
          : totalOf(ownKeyOf(each)) >= totalOf(own) + more;
      return mayYield ? each : undefined;
    };
    const yields =
      ifMayYield(largestIn(scope, true)) ??
      ifMayYield(largestIn(own)) ??
      ifMayYield(largestIn(scope));
    if (yields === undefined) return false;
    release(yields);
    yields.yielding?.onYield();
    return !entry.isOver;
  };

  const grow = (entry: Entry, more: number) => {
    if (more > 0) {
      for (const [key, limit] of entry.scopes) {
        while (totalOf(key) + more > limit) {
          if (!makeRoom(entry, key, more)) throw new LimitError(retryMs);
        }
      }
    }
    add(entry, more);
  };

  return {
    /** Returns the amount in use by all clients together. */
    total: () => totalOf(allKey),
    /** @throws {LimitError} */
    take(client: Client, amount: number, yielding?: Yielding): Lease {
      const scopes = scopesOf(client);
      const entry: Entry = { scopes, amount: 0, yielding, isOver: false };
      grow(entry, amount);
      enter(entry);
      return {
        set(next) {
          if (!entry.isOver) grow(entry, next - entry.amount);
        },
        moveTo(next, nextYielding) {
          if (entry.isOver) throw new LimitError(retryMs);
          const { amount: moved, scopes: former } = entry;
          add(entry, -moved);
          leave(entry);
          entry.scopes = scopesOf(next);
          try {
            grow(entry, moved);
            entry.yielding = nextYielding;
          } catch (error) {
            entry.scopes = former;
            add(entry, moved);
            throw error;
          } finally {
            enter(entry);
          }
        },
        release: () => release(entry),
      };
    },
  };
}
