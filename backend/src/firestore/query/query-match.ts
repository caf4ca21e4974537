import { documentField, type StoredDocument } from '../values/document.ts';
import type { ComparisonOperator, Cursor, FieldFilter, Filter, Order, Query } from './query.ts';
import { collectionIdOf, parentOf } from '../values/resource-path.ts';
import { inverted, valueKey } from '../values/value-key.ts';
import { compareValues, typeOrder } from '../values/value-order.ts';
import { elementsOf, isNaNValue, type Value } from '../values/value.ts';

/** Whether the document belongs to the query, regardless of order, cursors, offset and limit. */
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
  return value !== undefined && matchesComparison(filter, value);
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

/** Returns the sort key of a document as bytes; undefined when it lacks a field of the order. */
export function orderKey(document: StoredDocument, orderBy: readonly Order[]): Buffer | undefined {
  const values = orderBy.flatMap(({ field }) => documentField(document, field) ?? []);
  return values.length === orderBy.length ? directedKey(values, orderBy) : undefined;
}

const directedKey = (values: readonly Value[], orderBy: readonly Order[]): Buffer =>
  Buffer.concat(
    values.map((each, at) => {
      const key = valueKey(each);
      return orderBy[at]?.isDescending === true ? inverted(key) : key;
    }),
  );

const cursorKeys = new WeakMap<Cursor, Buffer>();

/** Compares a key to a cursor by as many values as the cursor has. */
function compareToCursor(key: Buffer, cursor: Cursor, orderBy: readonly Order[]): number {
  const bound = cursorKeys.get(cursor) ?? directedKey(cursor.values, orderBy);
  cursorKeys.set(cursor, bound);
  return Buffer.compare(key.subarray(0, bound.length), bound);
}

/** Whether a matching document lies between the cursors of a query, if it has any. */
export function isBetweenCursors(query: Query, document: StoredDocument): boolean {
  const { startAt, endAt, orderBy } = query;
  if (startAt === null && endAt === null) return true;
  const key = orderKey(document, orderBy);
  if (key === undefined) return false;
  const afterStart = startAt === null ? 1 : compareToCursor(key, startAt, orderBy);
  const afterEnd = endAt === null ? -1 : compareToCursor(key, endAt, orderBy);
  return (
    (afterStart > 0 || (afterStart === 0 && startAt?.before === true)) &&
    (afterEnd < 0 || (afterEnd === 0 && endAt?.before === false))
  );
}
