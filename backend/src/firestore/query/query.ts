import { documentKeyPath, type FieldPath } from '../values/field-path.ts';
import type { Value } from '../values/value.ts';

/** The operators in the order of their numbers in the protocol, from 1. */
export const comparisonOperators = [
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ARRAY_CONTAINS',
  'IN',
  'ARRAY_CONTAINS_ANY',
  'NOT_IN',
] as const;

export type ComparisonOperator = (typeof comparisonOperators)[number];

export type FieldFilter = {
  readonly kind: 'field';
  readonly field: FieldPath;
  readonly operator: ComparisonOperator;
  readonly value: Value;
};

export type Filter =
  | FieldFilter
  | {
      readonly kind: 'composite';
      readonly operator: 'AND' | 'OR';
      readonly filters: readonly Filter[];
    };

export interface Order {
  readonly field: FieldPath;
  readonly isDescending: boolean;
}

/** A position between documents: `before` puts it in front of the documents equal to the values. */
export interface Cursor {
  readonly values: readonly Value[];
  /** The bytes of the values as in `orderKey`. */
  readonly key: Buffer;
  readonly before: boolean;
}

/** `orderBy` is complete: it names every inequality field and ends in `__name__`. */
export interface Query {
  /** The empty path or a document path. */
  readonly parent: string;
  readonly collectionId: string;
  readonly allDescendants: boolean;
  readonly filter: Filter | null;
  readonly orderBy: readonly Order[];
  readonly startAt: Cursor | null;
  readonly endAt: Cursor | null;
  readonly limit: number | null;
  readonly offset: number;
}

/** The parts of a query without a filter, which every document of its scope matches. */
export const everything: Omit<Query, 'parent' | 'collectionId' | 'allDescendants'> = {
  filter: null,
  orderBy: [{ field: documentKeyPath, isDescending: false }],
  startAt: null,
  endAt: null,
  limit: null,
  offset: 0,
};

/** The filters every matching document satisfies: the members of a top-level AND, or the only filter. */
export function requiredFilters(filter: Filter | null): readonly Filter[] {
  if (filter === null) return [];
  if (filter.kind === 'composite' && filter.operator === 'AND') {
    return filter.filters.flatMap(requiredFilters);
  }
  return [filter];
}

/** Throws FAILED_PRECONDITION for a query that hosted Firestore would not answer without an index that nobody declared. */
export type RequireIndexes = (query: Query) => void;
