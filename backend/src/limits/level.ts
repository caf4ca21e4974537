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

/** The use that counts towards one limit: that of a client, of an address, or of all. */
interface Scope {
  readonly key: string;
  readonly limit: number;
  total: number;
  /** The oldest comes first. */
  readonly open: Set<Entry>;
}

interface Entry {
  /** That of its client is the first. */
  readonly scopes: readonly [Scope, ...Scope[]];
  amount: number;
  readonly yielding: Yielding | undefined;
  isOver: boolean;
}

const retryMs = 5000;

function add(entry: Entry, more: number): void {
  entry.amount += more;
  for (const scope of entry.scopes) scope.total += more;
}

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
  /** The scopes with open entries, except that of all. */
  const scopes = new Map<string, Scope>();
  const scopeOf = (key: string, limit: number): Scope =>
    scopes.get(key) ?? { key, limit, total: 0, open: new Set() };
  const all = scopeOf('all', limits.all);

  const scopesOf = (client: Client): Entry['scopes'] => {
    const { uid, address } = client;
    const own = scopeOf(keyOf(client), uid === null ? limits.stranger : limits.owner);
    if (isOwnMachine(address)) return [own, all];
    return [own, scopeOf(`address ${address}`, limits.address), all];
  };

  const release = (entry: Entry) => {
    if (entry.isOver) return;
    add(entry, -entry.amount);
    entry.isOver = true;
    for (const scope of entry.scopes) {
      scope.open.delete(entry);
      if (scope.open.size === 0) scopes.delete(scope.key);
    }
  };

  const largestIn = (scope: Scope, isReplaceable?: true): Entry | undefined => {
    let largest: Entry | undefined;
    let most = 0;
    for (const each of scope.open) {
      if (each.yielding === undefined || each.amount === 0) continue;
      if (isReplaceable && !each.yielding.isReplaceable) continue;
      const [{ total }] = each.scopes;
      if (total < most || (total === most && each.amount <= (largest?.amount ?? 0))) continue;
      largest = each;
      most = total;
    }
    return largest;
  };

  /** Makes another entry yield; returns whether one did and this entry is still open. */
  const makeRoom = (entry: Entry, scope: Scope, more: number): boolean => {
    const [own] = entry.scopes;
    const ifMayYield = (each: Entry | undefined) => {
      if (each === undefined) return undefined;
      const [other] = each.scopes;
      const mayYield =
        other === own ? each.yielding?.isReplaceable === true : other.total >= own.total + more;
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
      for (const scope of entry.scopes) {
        while (scope.total + more > scope.limit) {
          if (!makeRoom(entry, scope, more)) throw new LimitError(retryMs);
        }
      }
    }
    add(entry, more);
  };

  /** @throws {LimitError} */
  const open = (client: Client, amount: number, yielding: Yielding | undefined): Entry => {
    const entry: Entry = { scopes: scopesOf(client), amount: 0, yielding, isOver: false };
    for (const scope of entry.scopes) {
      scope.open.add(entry);
      if (scope !== all) scopes.set(scope.key, scope);
    }
    try {
      grow(entry, amount);
      return entry;
    } catch (error) {
      release(entry);
      throw error;
    }
  };

  return {
    /** Returns the amount in use by all clients together. */
    total: () => all.total,
    /** @throws {LimitError} */
    take(client: Client, amount: number, yielding?: Yielding): Lease {
      let entry = open(client, amount, yielding);
      return {
        set(next) {
          if (!entry.isOver) grow(entry, next - entry.amount);
        },
        moveTo(next, nextYielding) {
          if (entry.isOver) throw new LimitError(retryMs);
          const former = entry;
          const { amount: moved } = former;
          // It does not count while it moves, so it does not yield to itself.
          add(former, -moved);
          try {
            entry = open(next, moved, nextYielding);
          } catch (error) {
            if (!former.isOver) add(former, moved);
            throw error;
          }
          if (former.isOver) {
            release(entry);
            throw new LimitError(retryMs);
          }
          release(former);
        },
        release: () => release(entry),
      };
    },
  };
}
