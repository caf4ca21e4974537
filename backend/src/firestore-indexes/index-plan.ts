import {
  KEY_PATH,
  withKey,
  type DeclaredIndexes,
  type IndexDefinition,
  type IndexField,
  type SingleFieldIndex,
} from './index-definition.ts';
import type { Condition, IndexNeed } from './index-needs.ts';

/**
 * - One index serves a need if its fields are conditions of the need in any order, then its sort.
 * - Several indexes with that same end are merged: together they must have every condition.
 * - An index is read in its own direction only, as on hosted Firestore.
 */
export function isServed(need: IndexNeed, declared: DeclaredIndexes): boolean {
  const covered = new Set<string>();
  let isAnyUsable = false;
  for (const { fields } of candidates(need, declared)) {
    const conditions = coveredConditions(fields, need);
    if (conditions === undefined) continue;
    isAnyUsable = true;
    for (const each of conditions) covered.add(each);
  }
  return isAnyUsable && need.conditions.every((each) => covered.has(keyOf(each)));
}

const AUTOMATIC: readonly SingleFieldIndex[] = (
  ['ASCENDING', 'DESCENDING', 'CONTAINS'] as const
).map((mode) => ({ scope: 'COLLECTION', mode }));

/** Documents lie in the order of their names. */
const AUTOMATIC_KEY: readonly SingleFieldIndex[] = [
  { scope: 'COLLECTION', mode: 'ASCENDING' },
  { scope: 'COLLECTION_GROUP', mode: 'ASCENDING' },
];

/** What indexes a field has by itself: those of the closest override of it or of a map around it. */
export function singleFieldIndexes(
  { collectionGroup, path }: { readonly collectionGroup: string; readonly path: string },
  { overrides }: DeclaredIndexes,
): readonly SingleFieldIndex[] {
  const closest = overrides
    .filter((each) => each.collectionGroup === collectionGroup)
    .filter((each) => path === each.path || path.startsWith(`${each.path}.`))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
  if (path === KEY_PATH) return [...AUTOMATIC_KEY, ...(closest?.indexes ?? [])];
  return closest?.indexes ?? AUTOMATIC;
}

function candidates(
  need: IndexNeed,
  declared: DeclaredIndexes,
): readonly Pick<IndexDefinition, 'fields'>[] {
  const { collectionGroup, scope } = need;
  const paths = new Set([...need.conditions, ...need.sort].map(({ path }) => path));
  for (const path of need.aggregated) paths.add(path);
  const single = [...paths].flatMap((path) =>
    singleFieldIndexes({ collectionGroup, path }, declared)
      .filter((each) => each.scope === scope)
      .map(({ mode }) => ({ fields: withKey([{ path, mode }]) })),
  );
  const composite = declared.composite.filter(
    (each) => each.collectionGroup === collectionGroup && each.scope === scope,
  );
  return [...composite, ...single];
}

/** Undefined when the index does not end as the need wants it, or has a field the need says nothing of. */
function coveredConditions(
  fields: readonly IndexField[],
  need: IndexNeed,
): readonly string[] | undefined {
  const tailLength = need.sort.length + need.aggregated.length;
  const prefixLength = fields.length - tailLength;
  if (prefixLength < 0 || !hasTail(fields.slice(prefixLength), need)) return undefined;
  const covered = fields.slice(0, prefixLength).map(({ path, mode }) => {
    const kind = mode === 'CONTAINS' ? 'contains' : 'equal';
    return need.conditions.find((each) => each.path === path && each.kind === kind);
  });
  const known = covered.filter((each) => each !== undefined);
  return known.length === covered.length ? known.map(keyOf) : undefined;
}

function hasTail(tail: readonly IndexField[], { sort, aggregated }: IndexNeed): boolean {
  const order = sort.slice(0, -1);
  const isSorted = order.every((field, at) => isSame(field, tail[at]));
  const summed = tail.slice(order.length, order.length + aggregated.length);
  const isSummed = summed.every(
    ({ path, mode }) => mode !== 'CONTAINS' && aggregated.includes(path),
  );
  const [key, wanted] = [tail.at(-1), sort.at(-1)];
  // Sums are the same in any direction.
  const endsInKey = aggregated.length > 0 ? key?.path === KEY_PATH : isSame(wanted, key);
  return isSorted && isSummed && endsInKey;
}

const isSame = (left: IndexField | undefined, right: IndexField | undefined): boolean =>
  left?.path === right?.path && left?.mode === right?.mode;

const keyOf = ({ path, kind }: Condition): string => `${kind} ${path}`;
