import type { StoredDocument } from '../values/document.ts';
import { isDocumentKey } from '../values/field-path.ts';
import {
  compareSorted,
  isAfterStart,
  isBeforeEnd,
  matchesQuery,
  sortKeys,
  type Sorted,
} from './query-match.ts';
import { requiredFilters, type Query } from './query.ts';

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
  return cutWindow(
    query,
    sorted.map((each) => each.document),
  );
}

/** Takes cursors, offset and limit out of candidates in query order, reading no more than needed. */
export function cutWindow(
  query: Query,
  candidates: Iterable<StoredDocument>,
): readonly StoredDocument[] {
  const limit = query.limit ?? Infinity;
  const found: StoredDocument[] = [];
  let skipped = 0;
  if (limit === 0) return found;
  for (const document of candidates) {
    if (!isInWindow(query, document)) continue;
    if (skipped < query.offset) skipped++;
    else found.push(document);
    if (found.length === limit) break;
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

/** Whether every document in the range of the index belongs to the query. */
export function isDecidedByIndex({ filter, allDescendants, parent }: Query): boolean {
  const filters = requiredFilters(filter);
  const fields = new Set(filters.map((each) => (each.kind === 'field' ? each.field.text : '')));
  return (
    (!allDescendants || parent === '') &&
    fields.size === filters.length &&
    filters.every(
      (each) => each.kind === 'field' && each.operator === 'EQUAL' && !isDocumentKey(each.field),
    )
  );
}
