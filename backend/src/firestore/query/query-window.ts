import type { StoredDocument } from '../values/document.ts';
import { isDocumentKey } from '../values/field-path.ts';
import { isBetweenCursors, matchesQuery, orderKey } from './query-match.ts';
import { requiredFilters, type Order, type Query } from './query.ts';

/** Runs a query over any documents: sorts what matches, then cuts the window. */
export const evaluateQuery = (
  query: Query,
  documents: Iterable<StoredDocument>,
): readonly StoredDocument[] => {
  const matching = Array.from(documents).filter((each) => matchesQuery(query, each));
  return cutWindow(query, sortDocuments(matching, query.orderBy));
};

/** Without those that lack a field of the order. */
export const sortDocuments = (
  documents: readonly StoredDocument[],
  orderBy: readonly Order[],
): readonly StoredDocument[] =>
  documents
    .flatMap((document) => {
      const key = orderKey(document, orderBy);
      return key === undefined ? [] : { document, key };
    })
    .toSorted((left, right) => Buffer.compare(left.key, right.key))
    .map((each) => each.document);

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
export const isInWindow = (query: Query, document: StoredDocument): boolean =>
  matchesQuery(query, document) && isBetweenCursors(query, document);

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
