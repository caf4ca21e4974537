import type { RxQueryPlan } from 'rxdb/plugins/core';
import { deletedPath, metaPath, type StoreIndex } from './indexes.ts';

/** The keys and indexes of one object store. */
export interface Keys {
  readonly primaryPath: string;
  readonly booleans: ReadonlySet<string>;
  readonly indexes: readonly StoreIndex[];
}

/** The rows to read for a query plan: all matching rows, perhaps more. */
export interface Scan {
  /** null reads the object store itself, in the order of its key. */
  readonly index: string | null;
  /** null reads all of it. */
  readonly range: IDBKeyRange | null;
  /** Values that are in no key, and are compared row by row. */
  readonly pinned: readonly Pin[];
  /**
   * Together with `pinned`, every row that is read matches, if the plan says that its index satisfies the selector.
   */
  readonly isExact: boolean;
  /** Whether rows come in the order of the plan's index. */
  readonly isOrdered: boolean;
}

type Pin = readonly [path: string, value: boolean];

/** RxDB's query planner uses these two values for a column without a lower or upper bound. */
const lowest = Number.MIN_SAFE_INTEGER;
const highest = String.fromCharCode(0xff_ff);

/** A key after all strings and numbers, and after all longer keys with the same prefix. */
const behindAll: IDBValidKey = [];

type Side = 'start' | 'end';

/** One end of a range, before or after all keys with this prefix. */
interface End {
  readonly key: readonly IDBValidKey[];
  readonly isBehind: boolean;
  /** False if the plan wants fewer rows than the range contains. */
  readonly isExact: boolean;
}

interface Column {
  readonly path: string;
  readonly isKey: boolean;
  readonly start: unknown;
  readonly end: unknown;
}

function isUnbounded(value: unknown): boolean {
  return value === undefined || value === lowest || value === highest;
}

function isValidKey(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value));
}

/** Returns the values of a plan, as far as they are a prefix of the index's keys. */
function endOf(columns: readonly Column[], side: Side, isInclusive: boolean): End {
  const key: IDBValidKey[] = [];
  for (const [at, column] of columns.entries()) {
    const value = column[side];
    if (isUnbounded(value) || !column.isKey || !isValidKey(value)) {
      const isExact = columns.slice(at).every((other) => isUnbounded(other[side]));
      const isBehind = isUnbounded(value) ? value === highest : side === 'end';
      return { key, isBehind, isExact };
    }
    key.push(value);
  }
  return { key, isBehind: isInclusive === (side === 'end'), isExact: true };
}

/** Returns the range in an index of one column, or in the object store itself. */
function rangeOfValues(start: End, end: End): IDBKeyRange {
  const [from = start.isBehind ? behindAll : -Infinity] = start.key;
  const [until = end.isBehind ? behindAll : -Infinity] = end.key;
  return IDBKeyRange.bound(from, until, start.isBehind, !end.isBehind);
}

/** Returns the range in an index, whose keys are arrays if it is compound. @returns null for an empty range. */
function rangeBetween(start: End, end: End, width: number): IDBKeyRange | null {
  const listOf = ({ key, isBehind }: End) => (isBehind ? [...key, behindAll] : [...key]);
  try {
    if (width === 1) return rangeOfValues(start, end);
    return IDBKeyRange.bound(listOf(start), listOf(end), false, true);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return null;
    throw error;
  }
}

/** Returns the index with the columns of the plan, with or without the primary key at the end. */
function findIndex(columns: readonly string[], { indexes, primaryPath }: Keys): StoreIndex {
  const withoutKey = columns.at(-1) === primaryPath ? columns.slice(0, -1) : columns;
  const wanted = [columns.join(), withoutKey.join()];
  const found = indexes.find((index) => wanted.includes(index.columns.join()));
  if (found === undefined) throw new Error(`There is no index of ${columns.join(', ')}`);
  return found;
}

/** A full scan without an order, which compares each row. */
const everything: Scan = {
  index: null,
  range: null,
  pinned: [],
  isExact: false,
  isOrdered: false,
};

/**
 * Translates a query plan of RxDB into one range of one index.
 *
 * - No key has booleans. A boolean that the plan pins to a value is compared row by row; another one ends the range.
 * - There is no index of the time of writing (`_meta.lwt`): a plan that uses it reads all rows.
 * - No index has values that are no keys (null, say), nor deleted rows: a plan for these reads all rows.
 * @returns null if nothing can match. @throws if there is no such index: an unintended full scan would be noticed only
 * on large databases.
 */
export function scanOf(plan: RxQueryPlan, keys: Keys): Scan | null {
  const { booleans, primaryPath } = keys;
  if (plan.index.includes(metaPath)) return everything;
  const paths = plan.index.filter((path) => !booleans.has(path));
  const isPrimary = paths.every((path) => path === primaryPath);
  const index = isPrimary ? null : findIndex(paths, keys);
  const own = index?.columns ?? [primaryPath];

  const columns = plan.index.map((path, at): Column => {
    const [start, end] = [plan.startKeys[at], plan.endKeys[at]];
    return { path, start, end, isKey: own.includes(path) };
  });
  const pinned = columns.flatMap(({ path, start, end }): Pin[] =>
    typeof start === 'boolean' && start === end ? [[path, start]] : [],
  );
  const pinnedPaths = new Set(pinned.map(([path]) => path));
  const free = columns.filter(({ path }) => !pinnedPaths.has(path));
  const bounds = free.flatMap(({ start, end }) => [start, end]);
  if (!bounds.every((value) => isUnbounded(value) || isValidKey(value))) return everything;

  const isOfLiveRows = pinned.some(([path, value]) => path === deletedPath && !value);
  if (index !== null && !isOfLiveRows) return everything;

  const start = endOf(free, 'start', plan.inclusiveStart);
  const end = endOf(free, 'end', plan.inclusiveEnd);
  const range = rangeBetween(start, end, own.length);
  if (range === null) return null;
  return {
    index: index?.name ?? null,
    range,
    pinned,
    isExact: start.isExact && end.isExact,
    isOrdered: !free.some(({ path }) => booleans.has(path)),
  };
}
