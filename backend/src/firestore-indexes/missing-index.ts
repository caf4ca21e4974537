import { withKey, type DeclaredIndexes, type IndexField } from './index-definition.ts';
import type { IndexNeed } from './index-needs.ts';
import { singleFieldIndexes } from './index-plan.ts';

/** Hosted Firestore's sentence, and in place of a link to its console what to add to the file. */
export function missingIndexMessage(need: IndexNeed, declared: DeclaredIndexes): string {
  const fields = wantedFields(need);
  const [only, second] = fields;
  if (only !== undefined && second === undefined) return missingSingleField(need, only, declared);
  const index = {
    collectionGroup: need.collectionGroup,
    queryScope: need.scope,
    fields: fields.map((each) => ({ fieldPath: each.path, ...modeOf(each) })),
  };
  return `The query requires an index. Add it to "indexes" of firestore.indexes.json: ${JSON.stringify(index)}`;
}

const SHORT_MODES = { ASCENDING: 'ASC', DESCENDING: 'DESC', CONTAINS: 'CONTAINS' } as const;

function missingSingleField(
  { collectionGroup, scope }: IndexNeed,
  field: IndexField,
  declared: DeclaredIndexes,
): string {
  const { path } = field;
  const present = singleFieldIndexes({ collectionGroup, path }, declared);
  // An override takes the place of what is there, so it names that too.
  const indexes = [...present, { scope, mode: field.mode }].map((each) => ({
    ...modeOf(each),
    queryScope: each.scope,
  }));
  const override = { collectionGroup, fieldPath: path, indexes };
  return (
    `The query requires a ${scope}_${SHORT_MODES[field.mode]} index for collection ${collectionGroup} and field ${path}. ` +
    `Add it to "fieldOverrides" of firestore.indexes.json: ${JSON.stringify(override)}`
  );
}

/** One index that would serve the need alone; the key is left out where it goes without saying. */
function wantedFields({ conditions, sort, aggregated }: IndexNeed): readonly IndexField[] {
  const explicit = [
    ...conditions.map(({ path, kind }): IndexField => ({
      path,
      mode: kind === 'contains' ? 'CONTAINS' : 'ASCENDING',
    })),
    ...sort.slice(0, -1),
    ...aggregated.map((path): IndexField => ({ path, mode: 'ASCENDING' })),
  ];
  const key = sort.slice(-1);
  if (aggregated.length > 0) return explicit;
  const [only, second] = explicit;
  // The direction of an equality does not matter, so it is the one that the key has.
  if (only?.mode === 'ASCENDING' && second === undefined && conditions.length === 1) {
    return [{ path: only.path, mode: key[0]?.mode ?? only.mode }];
  }
  return withKey(explicit).at(-1)?.mode === key[0]?.mode && explicit.length > 0
    ? explicit
    : [...explicit, ...key];
}

const modeOf = ({ mode }: Pick<IndexField, 'mode'>) =>
  mode === 'CONTAINS' ? { arrayConfig: mode } : { order: mode };
