import { FirestoreError } from '../firestore/firestore-error.ts';
import type { RequireIndexes } from '../firestore/query/query.ts';
import {
  isSameField,
  modeOf,
  withKey,
  type DeclaredIndexes,
  type IndexField,
} from './index-file.ts';
import { indexNeeds, type IndexNeed } from './index-needs.ts';
import { isServed, singleFieldIndexes } from './index-plan.ts';

/** Refuses queries that hosted Firestore would refuse with these indexes. */
export function createRequireIndexes(declared: DeclaredIndexes): RequireIndexes {
  return (query) => {
    const missing = indexNeeds(query).find((need) => !isServed(need, declared));
    if (missing !== undefined) {
      throw new FirestoreError('FAILED_PRECONDITION', missingIndexMessage(missing, declared));
    }
  };
}

/** Returns the message of hosted Firestore, with the entry to add to the file in place of a link to the console. */
function missingIndexMessage(need: IndexNeed, declared: DeclaredIndexes): string {
  const { collectionGroup, queryScope } = need;
  const fields = wantedFields(need);
  const [only, second] = fields;
  if (only !== undefined && second === undefined) return missingSingleField(need, only, declared);
  const index = { collectionGroup, queryScope, fields };
  return `The query requires an index. Add it to "indexes" of firestore.indexes.json: ${JSON.stringify(index)}`;
}

const shortModes = { ASCENDING: 'ASC', DESCENDING: 'DESC', CONTAINS: 'CONTAINS' } as const;

function missingSingleField(need: IndexNeed, field: IndexField, declared: DeclaredIndexes): string {
  const { collectionGroup, queryScope } = need;
  const { fieldPath, ...mode } = field;
  // An override replaces the existing indexes, so it must name them too.
  const indexes = [...singleFieldIndexes(need, fieldPath, declared), { ...mode, queryScope }];
  const override = { collectionGroup, fieldPath, indexes };
  return (
    `The query requires a ${queryScope}_${shortModes[modeOf(field)]} index for collection ${collectionGroup} and field ${fieldPath}. ` +
    `Add it to "fieldOverrides" of firestore.indexes.json: ${JSON.stringify(override)}`
  );
}

const ascending = (fieldPath: string): IndexField => ({ fieldPath, order: 'ASCENDING' });

/** Returns the fields of one index that serves the need alone, without the key where it is implicit. */
function wantedFields({ conditions, sort }: IndexNeed): readonly IndexField[] {
  const explicit = [
    ...conditions.map(({ path, isElement }): IndexField =>
      isElement ? { fieldPath: path, arrayConfig: 'CONTAINS' } : ascending(path),
    ),
    ...sort.slice(0, -1),
  ];
  const key = sort.at(-1);
  const [only, second] = explicit;
  // The direction of an equality does not matter, so the one of the key is used.
  if (second === undefined && conditions[0]?.isElement === false && key !== undefined) {
    return [{ ...key, fieldPath: conditions[0].path }];
  }
  return only !== undefined && isSameField(withKey(explicit).at(-1), key)
    ? explicit
    : [...explicit, ...sort.slice(-1)];
}
