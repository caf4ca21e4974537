import { afterPrefix } from '../../store/key-value-store.ts';
import { keptBytes } from '../documents/document-keys.ts';
import { isDocumentKey, type FieldPath } from '../values/field-path.ts';
import { documentField, type StoredDocument } from '../values/document.ts';
import { parentOf, type DatabaseNames } from '../values/resource-path.ts';
import type { Value } from '../values/value.ts';
import { inverted, pathKey, segmentsKey, valueKey } from '../values/value-key.ts';
import { directedKey } from './query-match.ts';
import { requiredFilters, type Cursor, type FieldFilter, type Order, type Query } from './query.ts';

/**
 * The shape of a query, which identifies a composite index.
 *
 * - An index has an entry for every document of a collection group that has all of its fields: the values of
 *   the equality fields, then those of the order, as bytes in query order.
 * - It serves the shape of a query (fields, order, scope), so a page of `a == x and b > n order by b` is one range.
 * - A descending query reads the index of the ascending one in reverse.
 */
export interface IndexShape {
  readonly collectionId: string;
  readonly isGroup: boolean;
  readonly equalities: readonly FieldPath[];
  /** The order, which ends in the document key. */
  readonly orderBy: readonly Order[];
}

export function indexShape(query: Query): IndexShape {
  const isReverse = isReversed(query);
  return {
    collectionId: query.collectionId,
    isGroup: query.allDescendants,
    equalities: equalityFilters(query).map((each) => each.field),
    orderBy: query.orderBy.map(({ field, isDescending }) => ({
      field,
      isDescending: isDescending !== isReverse,
    })),
  };
}

/** Returns an id that is equal for queries that can share the index. */
export const shapeId = ({ collectionId, isGroup, equalities, orderBy }: IndexShape): string =>
  JSON.stringify([
    collectionId,
    isGroup,
    equalities.map((each) => each.text),
    orderBy.map((each) => [each.field.text, each.isDescending]),
  ]);

/** Whether a query needs no index because the documents are stored in the order of their keys. */
export const isInKeyOrder = ({ equalities, orderBy }: IndexShape): boolean =>
  equalities.length === 0 && orderBy.length === 1;

const isReversed = ({ orderBy }: Query): boolean => orderBy[0]?.isDescending === true;

/**
 * Returns one equality filter for each field, in the order of the fields, without those on the document key: each range
 * would hold one document.
 */
export function equalityFilters(query: Query): readonly FieldFilter[] {
  const byField = new Map<string, FieldFilter>();
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || filter.operator !== 'EQUAL') continue;
    if (!isDocumentKey(filter.field)) byField.set(filter.field.text, filter);
  }
  return [...byField.values()].toSorted(({ field: left }, { field: right }) =>
    left.text < right.text ? -1 : 1,
  );
}

/**
 * Returns the query without orders by fields that have an equality filter, in which all of its documents are equal. A
 * cursor loses the values of these orders, and ends at one that differs from the value of the filter: all documents lie
 * on one side of it.
 */
export function withoutFixedOrders(query: Query): Query {
  const fixed = new Map(equalityFilters(query).map(({ field, value }) => [field.text, value]));
  const orderBy = query.orderBy.filter(({ field }) => !fixed.has(field.text));
  if (orderBy.length === query.orderBy.length) return query;
  const reduced = (cursor: Cursor | null): Cursor | null => {
    if (cursor === null) return null;
    let { before } = cursor;
    const values: Value[] = [];
    for (const [at, value] of cursor.values.entries()) {
      const order = query.orderBy[at];
      const common = order && fixed.get(order.field.text);
      const side = common === undefined ? 0 : Buffer.compare(valueKey(common), valueKey(value));
      if (side !== 0) {
        before = side > 0 !== order?.isDescending;
        break;
      }
      if (common === undefined) values.push(value);
    }
    return { values, key: directedKey(values, orderBy), before };
  };
  return { ...query, orderBy, startAt: reduced(query.startAt), endAt: reduced(query.endAt) };
}

/** The bytes of a value that are used, which are more than a key can have. */
const usedBytes = 2048;

/** Returns the part of an entry's key after the number of the index; undefined for a document without an entry. */
export function entryKey(shape: IndexShape, document: StoredDocument): Buffer | undefined {
  const parts = shape.isGroup ? [] : [pathKey(parentOf(document.path))];
  for (const field of shape.equalities) {
    const value = documentField(document, field);
    if (value === undefined) return undefined;
    parts.push(valueKey(value, usedBytes));
  }
  for (const { field, isDescending } of shape.orderBy) {
    const value = documentField(document, field);
    if (value === undefined) return undefined;
    const bytes = isDocumentKey(field) ? pathKey(document.path) : valueKey(value, usedBytes);
    parts.push(isDescending ? inverted(bytes) : bytes);
  }
  return Buffer.concat(parts);
}

/**
 * Returns the range of an index that can hold the documents of a query, by its equalities, cursors and the inequalities on
 * the first field of the order. It can hold others too, so the query itself decides about each document.
 *
 * @param prefix the keys of the index begin with it.
 */
export function indexRange(prefix: Buffer, query: Query, names: DatabaseNames) {
  const shape = indexShape(query);
  const isReverse = isReversed(query);
  const common = Buffer.concat([prefix, rangeStart(query, shape)]);
  // In key order a bound is a whole path; otherwise it follows the equalities.
  const beforeBound = isInKeyOrder(shape) ? prefix : common;
  /** Whether the range fully expresses the cursors and inequalities. */
  let isExact = true;
  /** Returns a position before or after all keys that begin with the bytes, or around those with the same kept bytes. */
  const keyAt = (bytes: Buffer, isLower: boolean, isAfter: boolean): Buffer => {
    const isWhole = bytes.length <= keptBytes;
    isExact &&= isWhole;
    const kept = bytes.subarray(0, keptBytes);
    return (isWhole ? isAfter : !isLower) ? afterPrefix(kept) : kept;
  };
  let start = keyAt(common, true, false);
  let end = keyAt(common, false, true);
  const narrow = (isLower: boolean, values: readonly Value[], isAfter: boolean) => {
    const bytes = boundBytes(shape, values, names);
    if (bytes === undefined) {
      isExact = false;
      return;
    }
    const key = keyAt(Buffer.concat([beforeBound, ...bytes]), isLower, isAfter);
    if (isLower && Buffer.compare(start, key) < 0) start = key;
    if (!isLower && Buffer.compare(key, end) < 0) end = key;
  };
  const { startAt, endAt } = query;
  if (startAt !== null) narrow(!isReverse, startAt.values, startAt.before === isReverse);
  if (endAt !== null) narrow(isReverse, endAt.values, endAt.before === isReverse);
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || filter.field.text !== shape.orderBy[0]?.field.text) continue;
    const [, relation, isInclusive] =
      /^(LESS|GREATER)_THAN(_OR_EQUAL)?$/.exec(filter.operator) ?? [];
    if (relation === undefined) continue;
    // The first field of an index is in ascending order.
    const isLower = relation === 'GREATER';
    narrow(isLower, [filter.value], isLower === (isInclusive === undefined));
  }
  if (Buffer.compare(start, end) > 0) end = start;
  return { start, end, isReverse, isExact };
}

/** Returns the common prefix of all entries: the scope and the values of the equalities. */
function rangeStart(query: Query, shape: IndexShape): Buffer {
  if (isInKeyOrder(shape)) {
    const { parent, collectionId, allDescendants } = query;
    const collection = parent === '' ? collectionId : `${parent}/${collectionId}`;
    return segmentsKey(allDescendants ? parent : collection);
  }
  const scope = shape.isGroup ? [] : [pathKey(query.parent)];
  const values = equalityFilters(query).map(({ value }) => valueKey(value, usedBytes));
  return Buffer.concat([...scope, ...values]);
}

/** Returns undefined for the name of a document of another database, which bounds nothing. */
function boundBytes(
  { orderBy }: IndexShape,
  values: readonly Value[],
  names: DatabaseNames,
): readonly Buffer[] | undefined {
  const parts: Buffer[] = [];
  for (const [at, value] of values.entries()) {
    const order = orderBy[at];
    if (order === undefined) return undefined;
    const bytes = isDocumentKey(order.field) ? nameKey(value, names) : valueKey(value, usedBytes);
    if (bytes === undefined) return undefined;
    parts.push(order.isDescending ? inverted(bytes) : bytes);
  }
  return parts;
}

function nameKey(value: Value, names: DatabaseNames): Buffer | undefined {
  const path = pathOf(value, names);
  return path === undefined ? undefined : pathKey(path);
}

/** Returns the path of the document that a value refers to; undefined for one of another database. */
export const pathOf = (value: Value, { pathIn }: DatabaseNames): string | undefined =>
  value.kind === 'reference' ? pathIn(value.name) : undefined;
