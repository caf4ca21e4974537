import { documentField, type StoredDocument } from '../values/document.ts';
import type {
  ComparisonOperator,
  Cursor,
  FieldFilter,
  Filter,
  Order,
  Query,
  UnaryOperator,
} from './query.ts';
import { collectionIdOf, parentOf } from '../values/resource-path.ts';
import { comparePaths, compareValues, typeOrder } from '../values/value-order.ts';
import { isNaNValue, type Value } from '../values/value.ts';

/** Everything but order, cursors, offset and limit: whether the document belongs to the query. */
export function matchesQuery(query: Query, document: StoredDocument): boolean {
  return (
    isInScope(query, document.path) &&
    query.orderBy.every((order) => documentField(document, order.field) !== undefined) &&
    (query.filter === null || matchesFilter(query.filter, document))
  );
}

export function isInScope(query: Query, path: string): boolean {
  if (collectionIdOf(path) !== query.collectionId) return false;
  if (!query.allDescendants) return parentOf(path) === query.parent;
  return query.parent === '' || path.startsWith(`${query.parent}/`);
}

function matchesFilter(filter: Filter, document: StoredDocument): boolean {
  if (filter.kind === 'composite') {
    return filter.operator === 'AND'
      ? filter.filters.every((each) => matchesFilter(each, document))
      : filter.filters.some((each) => matchesFilter(each, document));
  }
  const value = documentField(document, filter.field);
  if (value === undefined) return false;
  return filter.kind === 'unary'
    ? matchesUnary(filter.operator, value)
    : matchesComparison(filter, value);
}

function matchesUnary(operator: UnaryOperator, value: Value): boolean {
  switch (operator) {
    case 'IS_NULL':
      return value.kind === 'null';
    case 'IS_NAN':
      return isNaNValue(value);
    case 'IS_NOT_NULL':
      return value.kind !== 'null';
    default:
      return value.kind !== 'null' && !isNaNValue(value);
  }
}

function matchesComparison({ operator, value: operand }: FieldFilter, value: Value): boolean {
  switch (operator) {
    case 'EQUAL':
      return compareValues(value, operand) === 0;
    case 'NOT_EQUAL':
      return value.kind !== 'null' && compareValues(value, operand) !== 0;
    case 'IN':
      return isAnyOf(operand, value);
    case 'NOT_IN':
      return value.kind !== 'null' && isNoneOf(operand, value);
    case 'ARRAY_CONTAINS':
      return value.kind === 'array' && value.values.some((e) => compareValues(e, operand) === 0);
    case 'ARRAY_CONTAINS_ANY':
      return value.kind === 'array' && value.values.some((each) => isAnyOf(operand, each));
    default:
      return satisfiesInequality(operator, value, operand);
  }
}

const elementsOf = (operand: Value): readonly Value[] =>
  operand.kind === 'array' ? operand.values : [];

/** Null and NaN in the list match nothing, not even themselves. */
const isAnyOf = (operand: Value, value: Value): boolean =>
  value.kind !== 'null' &&
  !isNaNValue(value) &&
  elementsOf(operand).some((each) => compareValues(each, value) === 0);

/** A null in the list makes the whole filter match nothing. */
const isNoneOf = (operand: Value, value: Value): boolean =>
  elementsOf(operand).every((each) => each.kind !== 'null' && compareValues(each, value) !== 0);

type Inequality = Extract<
  ComparisonOperator,
  'LESS_THAN' | 'LESS_THAN_OR_EQUAL' | 'GREATER_THAN' | 'GREATER_THAN_OR_EQUAL'
>;

/** Only values of the operand's type can satisfy it, and a stored NaN never does. */
function satisfiesInequality(operator: Inequality, value: Value, operand: Value): boolean {
  if (typeOrder(value) !== typeOrder(operand)) return false;
  if (isNaNValue(value) !== isNaNValue(operand)) return false;
  const order = compareValues(value, operand);
  switch (operator) {
    case 'LESS_THAN':
      return order < 0;
    case 'LESS_THAN_OR_EQUAL':
      return order <= 0;
    case 'GREATER_THAN':
      return order > 0;
    default:
      return order >= 0;
  }
}

/** A document together with the values it is ordered by, computed once. */
export interface Sorted {
  readonly document: StoredDocument;
  readonly keys: readonly Value[];
}

/** Undefined when the document lacks one of the fields and so is not part of the order. */
export function sortKeys(document: StoredDocument, orderBy: readonly Order[]): Sorted | undefined {
  const keys: Value[] = [];
  for (const order of orderBy) {
    const value = documentField(document, order.field);
    if (value === undefined) return undefined;
    keys.push(value);
  }
  return { document, keys };
}

/** Orders that do not end in the key fall back to the path, so no two documents are equal. */
export function compareSorted(left: Sorted, right: Sorted, orderBy: readonly Order[]): number {
  const order = compareKeys(left.keys, right.keys, orderBy);
  return order === 0 ? comparePaths(left.document.path, right.document.path) : order;
}

/** Compares as many keys as the shorter list has, which is what a cursor with a prefix means. */
function compareKeys(
  left: readonly Value[],
  right: readonly Value[],
  orderBy: readonly Order[],
): number {
  for (const [at, order] of orderBy.entries()) {
    const a = left[at];
    const b = right[at];
    if (a === undefined || b === undefined) return 0;
    const difference = compareValues(a, b);
    if (difference !== 0) return order.isDescending ? -difference : difference;
  }
  return 0;
}

export function isAfterStart(
  sorted: Sorted,
  cursor: Cursor | null,
  orderBy: readonly Order[],
): boolean {
  if (cursor === null) return true;
  const order = compareKeys(sorted.keys, cursor.values, orderBy);
  return cursor.before ? order >= 0 : order > 0;
}

export function isBeforeEnd(
  sorted: Sorted,
  cursor: Cursor | null,
  orderBy: readonly Order[],
): boolean {
  if (cursor === null) return true;
  const order = compareKeys(sorted.keys, cursor.values, orderBy);
  return cursor.before ? order < 0 : order <= 0;
}
