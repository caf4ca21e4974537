import type { Steps } from '../../limits/slices.ts';
import type { StoredDocument } from '../values/document.ts';
import { isDocumentKey } from '../values/field-path.ts';
import { isBetweenCursors, matchesQuery } from './query-match.ts';
import { requiredFilters, type Query } from './query.ts';

export interface Cutting {
  readonly query: Query;
  /** The documents in query order, and undefined at the end of each slice. */
  readonly candidates: Iterable<StoredDocument | undefined>;
  readonly take: (document: StoredDocument) => void;
}

/** Applies cursors, offset and limit to candidates, and reads no more than needed. */
export function* cutWindow({ query, candidates, take }: Cutting): Steps<void> {
  let toSkip = query.offset;
  let toTake = query.limit ?? Infinity;
  if (toTake === 0) return;
  for (const document of candidates) {
    if (document === undefined) yield undefined;
    else if (isInWindow(query, document)) {
      if (toSkip > 0) toSkip--;
      else {
        take(document);
        toTake--;
        if (toTake === 0) return;
      }
    }
  }
}

/** Whether a document belongs to the query, regardless of its limit and offset. */
export const isInWindow = (query: Query, document: StoredDocument): boolean =>
  matchesQuery(query, document) && isBetweenCursors(query, document);

/** Whether every document in the range of the index belongs to the query. */
export function isDecidedByIndex({ filter, allDescendants, parent }: Query): boolean {
  const fields = requiredFilters(filter).map((each) =>
    each.kind === 'field' && each.operator === 'EQUAL' && !isDocumentKey(each.field)
      ? each.field.text
      : null,
  );
  return (
    (!allDescendants || parent === '') &&
    !fields.includes(null) &&
    new Set(fields).size === fields.length
  );
}
