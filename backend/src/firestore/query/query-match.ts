import { memo } from '../../memo.ts';
import { documentField, type StoredDocument } from '../values/document.ts';
import type { Cursor, FieldFilter, Filter, Order, Query } from './query.ts';
import { collectionIdOf, parentOf } from '../values/resource-path.ts';
import { compareStrings, equalityKey, inverted, valueKey } from '../values/value-key.ts';
import { elementsOf, isNaNValue, isNumber, vectorElements, type Value } from '../values/value.ts';

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

function matchesFilter(
  filter: Filter,
  document: StoredDocument,
  comparer: Comparer = createComparer(filter),
): boolean {
  if (filter.kind === 'composite') {
    return filter.operator === 'AND'
      ? filter.filters.every((each) => matchesFilter(each, document, comparer))
      : filter.filters.some((each) => matchesFilter(each, document, comparer));
  }
  const value = documentField(document, filter.field);
  return value !== undefined && matchesComparison(filter, value, comparer);
}

/** The bytes of operands, each of which is compared with many documents, and may be as large as a request. */
const operandKey = memo((operand: Value) => valueKey(operand));
const operandText = memo((operand: Value) => operandKey(operand).toString('latin1'));

/** The values that a filter looks for in the arrays of a document. */
const soughtBy = (filter: Filter): readonly Value[] => {
  if (filter.kind === 'composite') return filter.filters.flatMap(soughtBy);
  if (filter.operator === 'ARRAY_CONTAINS') return [filter.value];
  return filter.operator === 'ARRAY_CONTAINS_ANY' ? elementsOf(filter.value) : [];
};

interface Comparer {
  /** The result is NaN for values of different types, which are not equal and satisfy no inequality. */
  readonly compare: (value: Value, operand: Value) => number;
  /** Whether an element of an array equals the operand. */
  readonly contains: (array: Value, operand: Value) => boolean;
}

/**
 * Compares the values of one document with the operands of a filter, in the order of their bytes. Each value is encoded at most
 * once for all operands; the most frequent types are compared without encoding them, except in arrays that several operands
 * are looked for in.
 */
function createComparer(filter: Filter): Comparer {
  const known = new Map<Value, { readonly key: Buffer; readonly maxBytes: number }>();
  const keyOf = (value: Value, maxBytes: number): Buffer => {
    const found = known.get(value);
    if (found !== undefined && found.maxBytes >= maxBytes) return found.key;
    // Operands of which each is a little longer than the one before do not cause an encoding each.
    const enough = found === undefined ? maxBytes : 2 * maxBytes;
    const key = valueKey(value, enough);
    known.set(value, { key, maxBytes: enough });
    return key;
  };
  const compare = (value: Value, operand: Value): number => {
    if (typeOf(value) !== typeOf(operand)) return NaN;
    if (value.kind === 'string' && operand.kind === 'string') {
      return compareStrings(value.value, operand.value);
    }
    if (isNumber(value) && isNumber(operand)) {
      // JavaScript compares bigint and number exactly, even above 2^53.
      return Number(value.value > operand.value) - Number(value.value < operand.value);
    }
    const key = operandKey(operand);
    // The bytes of a value are never a prefix of another's, so a value whose bytes begin with the operand's is equal.
    return Buffer.compare(keyOf(value, key.length).subarray(0, key.length), key);
  };
  let sought: readonly Value[] | undefined;
  const elementTexts = new Map<Value, ReadonlySet<string>>();
  const contains = (array: Value, operand: Value): boolean => {
    const elements = elementsOf(array);
    if (elements.length === 0) return false;
    sought ??= soughtBy(filter);
    if (sought.length === 1) return elements.some((each) => compare(each, operand) === 0);
    let texts = elementTexts.get(array);
    if (texts === undefined) {
      const types = new Set(sought.map(typeOf));
      texts = new Set(elements.filter((each) => types.has(typeOf(each))).map(equalityKey));
      elementTexts.set(array, texts);
    }
    return texts.has(operandText(operand));
  };
  return { compare, contains };
}

/** Integers and doubles are of one type; NaN and vectors have types of their own. */
function typeOf(value: Value): string {
  if (isNumber(value)) return isNaNValue(value) ? 'NaN' : 'number';
  if (value.kind !== 'map') return value.kind;
  return vectorElements(value) === undefined ? 'map' : 'vector';
}

function matchesComparison(
  { operator, value: operand }: FieldFilter,
  value: Value,
  { compare, contains }: Comparer,
): boolean {
  switch (operator) {
    case 'EQUAL':
      return compare(value, operand) === 0;
    case 'NOT_EQUAL':
      return value.kind !== 'null' && compare(value, operand) !== 0;
    case 'IN':
      return isAnyOf(operand, (each) => compare(value, each) === 0);
    case 'NOT_IN':
      return value.kind !== 'null' && isNoneOf(operand, value, compare);
    case 'ARRAY_CONTAINS':
      return contains(value, operand);
    case 'ARRAY_CONTAINS_ANY':
      return isAnyOf(operand, (each) => contains(value, each));
    case 'LESS_THAN':
      return compare(value, operand) < 0;
    case 'LESS_THAN_OR_EQUAL':
      return compare(value, operand) <= 0;
    case 'GREATER_THAN':
      return compare(value, operand) > 0;
    default:
      return compare(value, operand) >= 0;
  }
}

/** Null and NaN in the list match nothing, not even themselves. */
const isAnyOf = (operand: Value, isMatch: (each: Value) => boolean): boolean =>
  elementsOf(operand).some((each) => each.kind !== 'null' && !isNaNValue(each) && isMatch(each));

/** A null in the list makes the whole filter match nothing. */
const isNoneOf = (operand: Value, value: Value, compare: Comparer['compare']): boolean =>
  elementsOf(operand).every((each) => each.kind !== 'null' && compare(value, each) !== 0);

/** Returns the sort key of a document as bytes; undefined when it lacks a field of the order. */
export function orderKey(document: StoredDocument, orderBy: readonly Order[]): Buffer | undefined {
  const values = orderBy.flatMap(({ field }) => documentField(document, field) ?? []);
  return values.length === orderBy.length ? directedKey(values, orderBy) : undefined;
}

export const directedKey = (values: readonly Value[], orderBy: readonly Order[]): Buffer =>
  Buffer.concat(
    values.map((each, at) => {
      const key = valueKey(each);
      return orderBy[at]?.isDescending === true ? inverted(key) : key;
    }),
  );

/** Whether a matching document lies between the cursors of a query, if it has any. */
export function isBetweenCursors(query: Query, document: StoredDocument): boolean {
  const { startAt, endAt, orderBy } = query;
  if (startAt === null && endAt === null) return true;
  const key = orderKey(document, orderBy);
  if (key === undefined) return false;
  /** Compares by as many values as the cursor has. */
  const isAfter = (cursor: Cursor) => {
    const order = Buffer.compare(key.subarray(0, cursor.key.length), cursor.key);
    return order > 0 || (order === 0 && cursor.before);
  };
  return (startAt === null || isAfter(startAt)) && (endAt === null || !isAfter(endAt));
}
