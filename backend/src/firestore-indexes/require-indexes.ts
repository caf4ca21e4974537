import { FirestoreError } from '../firestore/firestore-error.ts';
import type { Filter, Query, RequireIndexes } from '../firestore/query/query.ts';
import {
  keyPath,
  modeOf,
  pathOf,
  withKey,
  type DeclaredIndexes,
  type IndexField,
  type SingleFieldIndex,
} from './index-file.ts';

/** Refuses queries that hosted Firestore would refuse with these indexes. */
export function createRequireIndexes(declared: DeclaredIndexes): RequireIndexes {
  return (query) => {
    const missing = indexNeeds(query).find((need) => !isServed(need, declared));
    if (missing !== undefined) {
      throw new FirestoreError('FAILED_PRECONDITION', missingIndexMessage(missing, declared));
    }
  };
}

/**
 * The index that one disjunct of a query needs. A query is answered as the union of its disjuncts (`or`, `in`), each from
 * its own indexes.
 */
interface IndexNeed {
  readonly collectionGroup: string;
  readonly queryScope: SingleFieldIndex['queryScope'];
  /** Fields with a known value (in ascending order) or element; an index has them first, in any order and direction. */
  readonly conditions: readonly IndexField[];
  /** The fields that follow in exactly this order; the last is the key. */
  readonly sort: readonly IndexField[];
}

type Conditions = ReadonlySet<IndexField>;

const nothing: Conditions = new Set();
const keyIs: IndexField = `${keyPath} ASCENDING`;
const ascending = (field: IndexField): IndexField =>
  field.endsWith(' DESCENDING') ? `${pathOf(field)} ASCENDING` : field;

function indexNeeds(query: Query): readonly IndexNeed[] {
  const ordered = new Set(query.orderBy.map(({ field }) => field.text));
  const orders = query.orderBy.map(
    ({ field, isDescending }): IndexField =>
      `${field.text} ${isDescending ? 'DESCENDING' : 'ASCENDING'}`,
  );
  const needs = new Map<string, IndexNeed>();
  for (const all of query.filter === null ? [nothing] : disjunctsOf(query.filter, ordered)) {
    const conditions = [...all].filter((each) => each !== keyIs);
    const need: IndexNeed = {
      collectionGroup: query.collectionId,
      queryScope: query.allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION',
      conditions,
      sort: orders.filter((each) => !conditions.includes(ascending(each))),
    };
    // A single document that is found by its name needs no index.
    if (!all.has(keyIs) || need.sort.length > 1) needs.set(JSON.stringify(need), need);
  }
  return [...needs.values()];
}

/**
 * Returns the disjunctive normal form as far as it matters for indexes: all elements of an `in` need the same one.
 * `decodeQuery` limits its size.
 */
function disjunctsOf(filter: Filter, ordered: ReadonlySet<string>): readonly Conditions[] {
  if (filter.kind !== 'composite') return [conditionsOf(filter, ordered)];
  const parts = filter.filters.map((each) => disjunctsOf(each, ordered));
  if (filter.operator === 'OR') return parts.flat();
  return parts.reduce<readonly Conditions[]>(
    (left, right) => left.flatMap((one) => right.map((other) => new Set([...one, ...other]))),
    [nothing],
  );
}

/** Returns the conditions of a filter. Inequalities add none: their fields are in the order of the query. */
function conditionsOf(
  { field: { text: path }, operator }: Exclude<Filter, { kind: 'composite' }>,
  ordered: ReadonlySet<string>,
): Conditions {
  if (operator === 'ARRAY_CONTAINS' || operator === 'ARRAY_CONTAINS_ANY') {
    return new Set([`${path} CONTAINS`] as const);
  }
  // The elements of an `in` are merged in the order of the query, if this field is a part of that.
  const isMerged = ordered.has(path) && path !== keyPath;
  const isEquality = operator === 'EQUAL' || (operator === 'IN' && !isMerged);
  return isEquality ? new Set([`${path} ASCENDING`]) : nothing;
}

/**
 * Returns whether the declared and automatic indexes serve a need.
 *
 * - One index serves a need if it has the conditions of the need in any order, followed by its sort.
 * - Several indexes with the same end are merged: together they must have every condition.
 * - An index is read in its own direction only, as on hosted Firestore.
 */
function isServed(need: IndexNeed, declared: DeclaredIndexes): boolean {
  const { conditions, sort } = need;
  const usable = candidates(need, declared).flatMap((fields) => {
    const covered = fields.slice(0, -sort.length).map(ascending);
    const isUsable =
      fields.length === covered.length + sort.length &&
      sort.every((each, at) => each === fields[covered.length + at]) &&
      covered.every((each) => conditions.includes(each));
    return isUsable ? [covered] : [];
  });
  const covered = new Set(usable.flat());
  return usable.length > 0 && conditions.every((each) => covered.has(each));
}

function candidates(
  { collectionGroup, queryScope, conditions, sort }: IndexNeed,
  declared: DeclaredIndexes,
): readonly (readonly IndexField[])[] {
  const single = [...new Set([...conditions, ...sort].map(pathOf))].flatMap((path) =>
    singleFieldIndexes(collectionGroup, path, declared)
      .filter((each) => each.queryScope === queryScope)
      .map(({ mode }) => withKey([`${path} ${mode}`])),
  );
  const composite = declared.indexes.filter(
    (each) => each.collectionGroup === collectionGroup && each.queryScope === queryScope,
  );
  return [...composite.map(({ fields }) => fields), ...single];
}

const automatic: readonly SingleFieldIndex[] = [
  { mode: 'ASCENDING', queryScope: 'COLLECTION' },
  { mode: 'DESCENDING', queryScope: 'COLLECTION' },
  { mode: 'CONTAINS', queryScope: 'COLLECTION' },
];

/** The automatic index by key: documents are stored in the order of their names. */
const automaticKey: readonly SingleFieldIndex[] = [
  { mode: 'ASCENDING', queryScope: 'COLLECTION' },
  { mode: 'ASCENDING', queryScope: 'COLLECTION_GROUP' },
];

/** Returns the single-field indexes of a field, as the closest override of it or of an enclosing map declares them. */
function singleFieldIndexes(
  collectionGroup: string,
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

const modeToJson = (mode: string) =>
  mode === 'CONTAINS' ? { arrayConfig: mode } : { order: mode };

/** Returns the message of hosted Firestore, with the entry to add to the file in place of a link to the console. */
function missingIndexMessage(need: IndexNeed, declared: DeclaredIndexes): string {
  const { collectionGroup, queryScope } = need;
  const wanted = wantedFields(need);
  const [only, second] = wanted;
  if (only === undefined || second !== undefined) {
    const fields = wanted.map((each) => ({ fieldPath: pathOf(each), ...modeToJson(modeOf(each)) }));
    const index = { collectionGroup, queryScope, fields };
    return `The query requires an index. Add it to "indexes" of firestore.indexes.json: ${JSON.stringify(index)}`;
  }
  const [fieldPath, mode] = [pathOf(only), modeOf(only)];
  // An override replaces the existing indexes, so it must name them too.
  const indexes = [
    ...singleFieldIndexes(collectionGroup, fieldPath, declared),
    { mode, queryScope },
  ];
  const override = {
    collectionGroup,
    fieldPath,
    indexes: indexes.map((each) => ({ ...modeToJson(each.mode), queryScope: each.queryScope })),
  };
  return (
    `The query requires a ${queryScope}_${mode.replace('ENDING', '')} index for collection ${collectionGroup} and field ${fieldPath}. ` +
    `Add it to "fieldOverrides" of firestore.indexes.json: ${JSON.stringify(override)}`
  );
}

/** Returns the fields of one index that serves the need alone, without the key where it is implicit. */
function wantedFields({ conditions, sort }: IndexNeed): readonly IndexField[] {
  const explicit = [...conditions, ...sort.slice(0, -1)];
  const key = sort.at(-1) ?? keyIs;
  const [only, second] = explicit;
  if (only === undefined) return [key];
  // The direction of an equality does not matter, so the one of the key is used.
  if (second === undefined && conditions.includes(only) && modeOf(only) !== 'CONTAINS') {
    return [`${pathOf(only)} ${modeOf(key)}`];
  }
  return withKey(explicit).at(-1) === key ? explicit : [...explicit, key];
}
