import type { FieldPath } from '../firestore/values/field-path.ts';
import { invalidArgument } from '../firestore/firestore-error.ts';
import type { Filter, Order, Query } from '../firestore/query/query.ts';
import { KEY_PATH, type IndexField, type QueryScope } from './index-definition.ts';

/**
 * What a query asks of indexes. A query is answered as the union of its disjuncts (`or`, `in`), each from indexes of its
 * own.
 */
export interface IndexNeed {
  readonly collectionGroup: string;
  readonly scope: QueryScope;
  /** Fields with a known value, or a known element: an index may have them in any order, but first. */
  readonly conditions: readonly Condition[];
  /** Then these, exactly; ends in the key. */
  readonly sort: readonly IndexField[];
  /** Fields that are summed up; an index has them between sort and key, in any order. */
  readonly aggregated: readonly string[];
}

export interface Condition {
  readonly path: string;
  readonly kind: 'equal' | 'contains';
}

type Conditions = ReadonlyMap<string, Condition>;

const MAX_DISJUNCTIONS = 30;
const NOTHING: Conditions = new Map();

export function indexNeeds(query: Query, aggregated: readonly FieldPath[]): readonly IndexNeed[] {
  const ordered = new Set(query.orderBy.map(({ field }) => field.text));
  const disjuncts = query.filter === null ? [NOTHING] : disjunctsOf(query.filter, ordered);
  const needs = new Map<string, IndexNeed>();
  for (const conditions of disjuncts) {
    const need = toNeed(query, [...conditions.values()], aggregated);
    if (need !== null) needs.set(JSON.stringify(need), need);
  }
  return [...needs.values()];
}

function toNeed(
  query: Query,
  all: readonly Condition[],
  aggregated: readonly FieldPath[],
): IndexNeed | null {
  const conditions = all.filter(({ path }) => path !== KEY_PATH);
  const known = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  const sort = query.orderBy.filter(({ field }) => !known.has(field.text)).map(toIndexField);
  const sorted = new Set(sort.map(({ path }) => path));
  const need = {
    collectionGroup: query.collectionId,
    scope: query.allDescendants ? 'COLLECTION_GROUP' : 'COLLECTION',
    conditions,
    sort,
    aggregated: [...new Set(aggregated.map(({ text }) => text))].filter(
      (path) => !known.has(path) && !sorted.has(path),
    ),
  } as const;
  // One document, found by its name.
  const isSingle = all.length > conditions.length && sort.length === 1;
  return isSingle && need.aggregated.length === 0 ? null : need;
}

const toIndexField = ({ field, isDescending }: Order): IndexField => ({
  path: field.text,
  mode: isDescending ? 'DESCENDING' : 'ASCENDING',
});

/** The disjunctive normal form, as far as indexes matter: elements of an `in` all need the same. */
function disjunctsOf(filter: Filter, ordered: ReadonlySet<string>): readonly Conditions[] {
  if (filter.kind !== 'composite') return [conditionsOf(filter, ordered)];
  const parts = filter.filters.map((each) => disjunctsOf(each, ordered));
  if (filter.operator === 'OR') return limited(parts.flat());
  return parts.reduce<readonly Conditions[]>(
    (left, right) =>
      limited(left.flatMap((one) => right.map((other) => new Map([...one, ...other])))),
    [NOTHING],
  );
}

function limited(disjuncts: readonly Conditions[]): readonly Conditions[] {
  if (disjuncts.length <= MAX_DISJUNCTIONS) return disjuncts;
  throw invalidArgument(`A query may have at most ${MAX_DISJUNCTIONS} disjunctions.`);
}

/** Inequalities add nothing: their fields are in the order of the query. */
function conditionsOf(
  { field, operator }: Exclude<Filter, { kind: 'composite' }>,
  ordered: ReadonlySet<string>,
): Conditions {
  switch (operator) {
    case 'EQUAL':
    case 'IS_NULL':
    case 'IS_NAN':
      return condition(field, 'equal');
    case 'IN':
      // The elements are merged in the order of the query, of which this field is a part.
      return ordered.has(field.text) && field.text !== KEY_PATH
        ? NOTHING
        : condition(field, 'equal');
    case 'ARRAY_CONTAINS':
    case 'ARRAY_CONTAINS_ANY':
      return condition(field, 'contains');
    default:
      return NOTHING;
  }
}

const condition = ({ text }: FieldPath, kind: Condition['kind']): Conditions =>
  new Map([[`${kind} ${text}`, { path: text, kind }]]);
