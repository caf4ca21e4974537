import type { Filter, Order, Query } from '../firestore/query/query.ts';
import { keyPath, type IndexField } from './index-file.ts';

/**
 * The index that one disjunct of a query needs. A query is answered as the union of its disjuncts (`or`, `in`), each from
 * its own indexes.
 */
export interface IndexNeed {
  readonly collectionGroup: string;
  readonly queryScope: 'COLLECTION' | 'COLLECTION_GROUP';
  /** Fields with a known value or element; an index has them first, in any order. */
  readonly conditions: readonly Condition[];
  /** The fields that follow in exactly this order; the last is the key. */
  readonly sort: readonly IndexField[];
}

export interface Condition {
  readonly path: string;
  readonly isElement: boolean;
}

/** Conditions without duplicates, by their content. */
type Conditions = ReadonlyMap<string, Condition>;

const nothing: Conditions = new Map();

export function indexNeeds(query: Query): readonly IndexNeed[] {
  const ordered = new Set(query.orderBy.map(({ field }) => field.text));
  const needs = new Map<string, IndexNeed>();
  for (const all of query.filter === null ? [nothing] : disjunctsOf(query.filter, ordered)) {
    const need = toNeed(query, [...all.values()]);
    // A single document that is found by its name needs no index.
    const isSingle = all.size > need.conditions.length && need.sort.length === 1;
    if (!isSingle) needs.set(JSON.stringify(need), need);
  }
  return [...needs.values()];
}

function toNeed(query: Query, all: readonly Condition[]): IndexNeed {
  const conditions = all.filter(({ path }) => path !== keyPath);
  const known = new Set(conditions.filter((each) => !each.isElement).map(({ path }) => path));
  return {
    collectionGroup: query.collectionId,
    queryScope: query.allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION',
    conditions,
    sort: query.orderBy.map(toIndexField).filter(({ fieldPath }) => !known.has(fieldPath)),
  };
}

const toIndexField = ({ field, isDescending }: Order): IndexField => ({
  fieldPath: field.text,
  order: isDescending ? 'DESCENDING' : 'ASCENDING',
});

/**
 * Returns the disjunctive normal form as far as it matters for indexes: all elements of an `in` need the same one.
 * `decodeQuery` limits its size.
 */
function disjunctsOf(filter: Filter, ordered: ReadonlySet<string>): readonly Conditions[] {
  if (filter.kind !== 'composite') return [conditionsOf(filter, ordered)];
  const parts = filter.filters.map((each) => disjunctsOf(each, ordered));
  if (filter.operator === 'OR') return parts.flat();
  return parts.reduce<readonly Conditions[]>(
    (left, right) => left.flatMap((one) => right.map((other) => new Map([...one, ...other]))),
    [nothing],
  );
}

const equalities = new Set(['EQUAL', 'IS_NULL', 'IS_NAN', 'IN']);

/** Returns the conditions of a filter. Inequalities add none: their fields are in the order of the query. */
function conditionsOf(
  { field: { text: path }, operator }: Exclude<Filter, { kind: 'composite' }>,
  ordered: ReadonlySet<string>,
): Conditions {
  const isElement = operator === 'ARRAY_CONTAINS' || operator === 'ARRAY_CONTAINS_ANY';
  // The elements of an `in` are merged in the order of the query, if this field is a part of that.
  const isMerged = operator === 'IN' && ordered.has(path) && path !== keyPath;
  if (isMerged || (!isElement && !equalities.has(operator))) return nothing;
  return new Map([[`${isElement} ${path}`, { path, isElement }]]);
}
