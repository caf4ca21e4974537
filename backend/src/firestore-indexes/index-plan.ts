import {
  isSameField,
  keyPath,
  modeOf,
  withKey,
  type DeclaredIndexes,
  type IndexField,
  type SingleFieldIndex,
} from './index-file.ts';
import type { Condition, IndexNeed } from './index-needs.ts';

/**
 * Returns whether the declared and automatic indexes serve a need.
 *
 * - One index serves a need if it has the conditions of the need in any order, followed by its sort.
 * - Several indexes with the same end are merged: together they must have every condition.
 * - An index is read in its own direction only, as on hosted Firestore.
 */
export function isServed(need: IndexNeed, declared: DeclaredIndexes): boolean {
  const usable = candidates(need, declared).flatMap((each) => {
    const conditions = coveredConditions(each, need);
    return conditions === undefined ? [] : [conditions];
  });
  const covered = new Set(usable.flat());
  return usable.length > 0 && need.conditions.every((each) => covered.has(each));
}

const automatic: readonly SingleFieldIndex[] = [
  { order: 'ASCENDING', queryScope: 'COLLECTION' },
  { order: 'DESCENDING', queryScope: 'COLLECTION' },
  { arrayConfig: 'CONTAINS', queryScope: 'COLLECTION' },
];

/** The automatic index by key: documents are stored in the order of their names. */
const automaticKey: readonly SingleFieldIndex[] = [
  { order: 'ASCENDING', queryScope: 'COLLECTION' },
  { order: 'ASCENDING', queryScope: 'COLLECTION_GROUP' },
];

/** Returns the single-field indexes of a field, as the closest override of it or of an enclosing map declares them. */
export function singleFieldIndexes(
  { collectionGroup }: Pick<IndexNeed, 'collectionGroup'>,
  path: string,
  { fieldOverrides }: DeclaredIndexes,
): readonly SingleFieldIndex[] {
  const closest = fieldOverrides
    .filter((each) => each.collectionGroup === collectionGroup)
    .filter(({ fieldPath }) => path === fieldPath || path.startsWith(`${fieldPath}.`))
    .toSorted((left, right) => right.fieldPath.length - left.fieldPath.length)[0];
  if (path === keyPath) return [...automaticKey, ...(closest?.indexes ?? [])];
  return closest?.indexes ?? automatic;
}

function candidates(
  need: IndexNeed,
  declared: DeclaredIndexes,
): readonly (readonly IndexField[])[] {
  const { collectionGroup, queryScope, conditions, sort } = need;
  const paths = new Set([
    ...conditions.map(({ path }) => path),
    ...sort.map(({ fieldPath }) => fieldPath),
  ]);
  const single = [...paths].flatMap((fieldPath) =>
    singleFieldIndexes(need, fieldPath, declared)
      .filter((each) => each.queryScope === queryScope)
      .map((each) => withKey([{ fieldPath, ...each }])),
  );
  const composite = declared.indexes.filter(
    (each) => each.collectionGroup === collectionGroup && each.queryScope === queryScope,
  );
  return [...composite.map(({ fields }) => fields), ...single];
}

/** Returns undefined when the index does not end as the need requires, or has a field that is not in the need. */
function coveredConditions(
  fields: readonly IndexField[],
  need: IndexNeed,
): readonly Condition[] | undefined {
  const prefixLength = fields.length - need.sort.length;
  const hasTail = need.sort.every((field, at) => isSameField(field, fields[prefixLength + at]));
  if (prefixLength < 0 || !hasTail) return undefined;
  const covered = fields.slice(0, prefixLength).flatMap((field) => {
    const isElement = modeOf(field) === 'CONTAINS';
    return need.conditions.filter(
      (each) => each.path === field.fieldPath && each.isElement === isElement,
    );
  });
  return covered.length === prefixLength ? covered : undefined;
}
