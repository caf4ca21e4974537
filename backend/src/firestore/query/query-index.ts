import { documentField, type StoredDocument } from '../values/document.ts';
import { isDocumentKey, type FieldPath } from '../values/field-path.ts';
import { compareSorted, sortKeys, type Sorted } from './query-match.ts';
import { partitionPoint } from './query-window.ts';
import { requiredFilters, type Order, type Query } from './query.ts';
import { parentOf } from '../values/resource-path.ts';
import { canonicalKey } from '../values/value-measure.ts';
import type { Value } from '../values/value.ts';

/**
 * - A composite index: documents in buckets by their equality fields, each bucket in query order.
 * - Made for the shape of a query (fields, order, scope), so a page of `a == x and b > n order by b`
 *   is a binary search and a slice.
 * - Holds every document of the collection group that has all the fields, and nothing else.
 */
export interface QueryIndex {
  /** For an empty index: sorts once instead of inserting one by one. */
  addAll(documents: Iterable<StoredDocument>): void;
  add(document: StoredDocument): void;
  remove(document: StoredDocument): void;
  candidates(query: Query): readonly Sorted[];
}

export interface IndexShape {
  /** Equal for queries that can share the index. */
  readonly id: string;
  readonly isGroup: boolean;
  readonly equalities: readonly FieldPath[];
  readonly orderBy: readonly Order[];
}

export function indexShape(query: Query): IndexShape {
  const equalities = [...equalityFilters(query).values()]
    .map((each) => each.field)
    .toSorted((left, right) => (left.text < right.text ? -1 : 1));
  const order = query.orderBy.map((each) => [each.field.text, each.isDescending]);
  const id = JSON.stringify([query.allDescendants, equalities.map((each) => each.text), order]);
  return { id, isGroup: query.allDescendants, equalities, orderBy: query.orderBy };
}

/** The key is not bucketed: each bucket would hold one document. */
function equalityFilters(query: Query) {
  const byField = new Map<string, { readonly field: FieldPath; readonly value: Value }>();
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || filter.operator !== 'EQUAL') continue;
    if (!isDocumentKey(filter.field)) byField.set(filter.field.text, filter);
  }
  return byField;
}

export function createQueryIndex(shape: IndexShape): QueryIndex {
  const buckets = new Map<string, Sorted[]>();
  const { orderBy } = shape;

  const bucketKey = (document: StoredDocument): string | undefined => {
    const values = shape.equalities.map((field) => documentField(document, field));
    if (values.includes(undefined)) return undefined;
    const keys = values.flatMap((value) => (value === undefined ? [] : canonicalKey(value)));
    return joinKey(shape.isGroup ? '' : parentOf(document.path), keys);
  };
  const position = (bucket: readonly Sorted[], sorted: Sorted) =>
    partitionPoint(bucket, (each) => compareSorted(each, sorted, orderBy) >= 0);

  return {
    addAll(documents) {
      for (const document of documents) {
        const key = bucketKey(document);
        const sorted = sortKeys(document, orderBy);
        if (key === undefined || sorted === undefined) continue;
        const bucket = buckets.get(key);
        if (bucket === undefined) buckets.set(key, [sorted]);
        else bucket.push(sorted);
      }
      for (const bucket of buckets.values()) {
        bucket.sort((left, right) => compareSorted(left, right, orderBy));
      }
    },
    add(document) {
      const key = bucketKey(document);
      const sorted = sortKeys(document, orderBy);
      if (key === undefined || sorted === undefined) return;
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [sorted]);
      else bucket.splice(position(bucket, sorted), 0, sorted);
    },
    remove(document) {
      const key = bucketKey(document);
      const sorted = sortKeys(document, orderBy);
      if (key === undefined || sorted === undefined) return;
      const bucket = buckets.get(key) ?? [];
      bucket.splice(position(bucket, sorted), 1);
      if (bucket.length === 0) buckets.delete(key);
    },
    candidates(query) {
      const filters = equalityFilters(query);
      const keys = shape.equalities.flatMap((field) => {
        const value = filters.get(field.text)?.value;
        return value === undefined ? [] : canonicalKey(value);
      });
      return buckets.get(joinKey(shape.isGroup ? '' : query.parent, keys)) ?? [];
    },
  };
}

const joinKey = (parent: string, keys: readonly string[]): string =>
  JSON.stringify([parent, ...keys]);
