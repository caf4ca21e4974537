import { FirestoreError } from '../firestore/firestore-error.ts';
import type { RequireIndexes } from '../firestore/query/require-indexes.ts';
import type { Query } from '../firestore/query/query.ts';
import type { DeclaredIndexes } from './index-definition.ts';
import { indexNeeds } from './index-needs.ts';
import { isServed } from './index-plan.ts';
import { missingIndexMessage } from './missing-index.ts';

/** Refuses what hosted Firestore would refuse with these indexes; a query that was found fine is not looked at again. */
export function createRequireIndexes(declared: DeclaredIndexes): RequireIndexes {
  const fine = new WeakSet<Query>();
  return (query, aggregated) => {
    if (aggregated.length === 0 && fine.has(query)) return;
    const missing = indexNeeds(query, aggregated).find((need) => !isServed(need, declared));
    if (missing !== undefined) {
      throw new FirestoreError('FAILED_PRECONDITION', missingIndexMessage(missing, declared));
    }
    if (aggregated.length === 0) fine.add(query);
  };
}
