import type { StoredDocument } from '../values/document.ts';
import {
  compareSorted,
  isAfterStart,
  isBeforeEnd,
  matchesQuery,
  sortKeys,
  type Sorted,
} from './query-match.ts';
import { requiredFilters, type FieldFilter, type Query } from './query.ts';
import { compareValues } from '../values/value-order.ts';

/** Runs a query over any documents: sorts what matches, then cuts the window. */
export function evaluateQuery(
  query: Query,
  documents: Iterable<StoredDocument>,
): readonly StoredDocument[] {
  const sorted: Sorted[] = [];
  for (const document of documents) {
    const keys = matchesQuery(query, document) ? sortKeys(document, query.orderBy) : undefined;
    if (keys !== undefined) sorted.push(keys);
  }
  sorted.sort((left, right) => compareSorted(left, right, query.orderBy));
  return cutWindow(query, sorted);
}

/** Takes cursors, offset and limit out of candidates in query order, reading no more than needed. */
export function cutWindow(query: Query, candidates: readonly Sorted[]): readonly StoredDocument[] {
  const bounds = firstFieldBounds(query);
  const start = partitionPoint(
    candidates,
    (each) =>
      isAfterStart(each, query.startAt, query.orderBy) &&
      bounds.lower.every((isSatisfied) => isSatisfied(each)),
  );
  const isInside = (each: Sorted) =>
    isBeforeEnd(each, query.endAt, query.orderBy) &&
    bounds.upper.every((isSatisfied) => isSatisfied(each));
  const limit = query.limit ?? Infinity;
  const found: StoredDocument[] = [];
  let skipped = 0;
  for (let at = start; at < candidates.length && found.length < limit; at++) {
    const candidate = candidates[at];
    if (candidate === undefined || !isInside(candidate)) break;
    if (!matchesQuery(query, candidate.document)) continue;
    if (skipped < query.offset) skipped++;
    else found.push(candidate.document);
  }
  return found;
}

/** Whether a document belongs to the query, whatever its limit and offset. */
export function isInWindow(query: Query, document: StoredDocument): boolean {
  if (!matchesQuery(query, document)) return false;
  const sorted = sortKeys(document, query.orderBy);
  return (
    sorted !== undefined &&
    isAfterStart(sorted, query.startAt, query.orderBy) &&
    isBeforeEnd(sorted, query.endAt, query.orderBy)
  );
}

/** As many documents as `cutWindow` takes; of what the index has decided alone, none is looked at. */
export function countWindow(query: Query, candidates: readonly Sorted[]): number {
  if (!isDecidedByIndex(query)) return cutWindow(query, candidates).length;
  const { orderBy, startAt, endAt } = query;
  const start = partitionPoint(candidates, (each) => isAfterStart(each, startAt, orderBy));
  const end = partitionPoint(candidates, (each) => !isBeforeEnd(each, endAt, orderBy));
  return Math.max(0, Math.min(end - start - query.offset, query.limit ?? Infinity));
}

function isDecidedByIndex({ filter, allDescendants, parent }: Query): boolean {
  const filters = requiredFilters(filter);
  const fields = new Set(filters.map((each) => (each.kind === 'field' ? each.field.text : '')));
  return (
    (!allDescendants || parent === '') &&
    fields.size === filters.length &&
    filters.every((each) => each.kind === 'field' && each.operator === 'EQUAL')
  );
}

/** The first index at which the predicate holds; it must be false before and true after one point. */
export function partitionPoint<T>(items: readonly T[], isAtOrAfter: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item === undefined || isAtOrAfter(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Bound = (candidate: Sorted) => boolean;

/**
 * Inequalities on the first ordered field narrow the range before anything is read. They only
 * narrow: whether a document matches is decided by the filter itself.
 */
function firstFieldBounds(query: Query): { lower: readonly Bound[]; upper: readonly Bound[] } {
  const [first] = query.orderBy;
  const lower: Bound[] = [];
  const upper: Bound[] = [];
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || filter.field.text !== first?.field.text) continue;
    const bound = toBound(filter);
    if (bound === undefined) continue;
    const isLower = bound.isFromBelow !== first.isDescending;
    (isLower ? lower : upper).push(bound.isSatisfied);
  }
  return { lower, upper };
}

function toBound(filter: FieldFilter): { isFromBelow: boolean; isSatisfied: Bound } | undefined {
  const order = ({ keys: [key] }: Sorted) =>
    key === undefined ? 0 : compareValues(key, filter.value);
  switch (filter.operator) {
    case 'GREATER_THAN':
      return { isFromBelow: true, isSatisfied: (each) => order(each) > 0 };
    case 'GREATER_THAN_OR_EQUAL':
      return { isFromBelow: true, isSatisfied: (each) => order(each) >= 0 };
    case 'LESS_THAN':
      return { isFromBelow: false, isSatisfied: (each) => order(each) < 0 };
    case 'LESS_THAN_OR_EQUAL':
      return { isFromBelow: false, isSatisfied: (each) => order(each) <= 0 };
    default:
      return undefined;
  }
}
