import { matchesQuery, orderKey } from '../../src/firestore/query/query-match.ts';
import { cutWindow } from '../../src/firestore/query/query-window.ts';
import type { Query } from '../../src/firestore/query/query.ts';
import type { StoredDocument } from '../../src/firestore/values/document.ts';
import { finish } from '../../src/limits/slices.ts';

/** Runs a query over all documents: filters and sorts them, then applies cursors, offset and limit. */
export function evaluateQuery(
  query: Query,
  documents: readonly StoredDocument[],
): readonly StoredDocument[] {
  const matching = documents.filter((each) => matchesQuery(query, each));
  const found: StoredDocument[] = [];
  const candidates = matching
    .flatMap((document) => {
      const key = orderKey(document, query.orderBy);
      return key === undefined ? [] : { document, key };
    })
    .toSorted((left, right) => Buffer.compare(left.key, right.key))
    .map((each) => each.document);
  finish(cutWindow({ query, candidates, take: (each) => void found.push(each) }));
  return found;
}
