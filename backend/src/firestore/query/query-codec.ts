import { isJsonObject, type JsonObject } from '../../json.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import {
  documentKeyPath,
  isDocumentKey,
  parseFieldPath,
  type FieldPath,
} from '../values/field-path.ts';
import { checkSegment } from '../values/resource-path.ts';
import type { ComparisonOperator, CompositeFilter, Cursor, Filter, Order, Query } from './query.ts';
import { decodeValue } from '../values/value-codec.ts';
import { doubleValue, nullValue } from '../values/value.ts';
import { compareStrings } from '../values/value-key.ts';

const unsupported = ['findNearest'];

/** Decodes a query and completes its order as Firestore does. @throws {FirestoreError} INVALID_ARGUMENT */
export function decodeQuery(json: unknown, parent: string): Query {
  if (!isJsonObject(json)) throw invalidArgument('structuredQuery must be an object.');
  for (const key of unsupported) {
    if (json[key] !== undefined) throw new FirestoreError('UNIMPLEMENTED', `${key} is not served.`);
  }
  const filter = json['where'] === undefined ? null : decodeFilter(json['where'], 0);
  const orders = decodeOrders(json['orderBy']);
  checkSize(filter, orders);
  checkDisjunctions(filter);
  const orderBy = completeOrder(orders, filter);
  checkKeyEquality(filter);
  return {
    parent,
    ...decodeFrom(json['from']),
    filter,
    orderBy,
    startAt: decodeCursor(json['startAt'], orderBy),
    endAt: decodeCursor(json['endAt'], orderBy),
    limit: decodeCount(json['limit'], 'limit'),
    offset: decodeCount(json['offset'], 'offset') ?? 0,
  };
}

function decodeFrom(json: unknown): { collectionId: string; allDescendants: boolean } {
  const from: unknown = Array.isArray(json) && json.length === 1 ? json[0] : undefined;
  if (!isJsonObject(from) || typeof from['collectionId'] !== 'string') {
    throw invalidArgument('from must name one collection.');
  }
  return {
    collectionId: checkSegment(from['collectionId']),
    allDescendants: from['allDescendants'] === true,
  };
}

/** Maps both forms of an enumeration value: its name and, as firebase-admin sends it over REST, its number. */
const byNameOrNumber = <Name extends string>(
  numbered: readonly (readonly [number, Name])[],
): ReadonlyMap<unknown, Name> =>
  new Map<unknown, Name>(
    numbered.flatMap(([number, name]) => [
      [name, name],
      [number, name],
    ]),
  );

const comparisons = byNameOrNumber<ComparisonOperator>(
  (
    [
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
    ] as const
  ).map((each, index) => [index + 1, each]),
);

/** The unary operators, which are comparisons with null and NaN. */
const unaries = byNameOrNumber([
  [2, 'IS_NAN'],
  [3, 'IS_NULL'],
  [4, 'IS_NOT_NAN'],
  [5, 'IS_NOT_NULL'],
]);

const composites = byNameOrNumber<CompositeFilter['operator']>([
  [1, 'AND'],
  [2, 'OR'],
]);

const directions = byNameOrNumber([
  [1, 'ASCENDING'],
  [2, 'DESCENDING'],
]);

const maxFilterDepth = 20;
const maxDisjunctions = 30;
const maxNotIn = 10;

function decodeFilter(json: unknown, depth: number): Filter {
  if (depth > maxFilterDepth) throw invalidArgument('A filter is nested too deeply.');
  if (!isJsonObject(json)) throw invalidArgument('A filter must be an object.');
  const { fieldFilter, unaryFilter, compositeFilter } = json;
  if (isJsonObject(fieldFilter)) return decodeFieldFilter(fieldFilter);
  if (isJsonObject(unaryFilter)) return decodeUnaryFilter(unaryFilter);
  if (isJsonObject(compositeFilter)) return decodeCompositeFilter(compositeFilter, depth);
  throw invalidArgument('A filter is unknown.');
}

function decodeFieldFilter(json: JsonObject): Filter {
  const operator = comparisons.get(json['op']);
  if (operator === undefined) throw invalidArgument('A filter has an unknown operator.');
  const value = decodeValue(json['value']);
  const field = decodeFieldReference(json['field']);
  const needsList = operator === 'NOT_IN' || isDisjunction(operator);
  if (needsList && (value.kind !== 'array' || value.values.length === 0)) {
    throw invalidArgument(`'${operator}' requires a non-empty list.`);
  }
  if (operator === 'NOT_IN' && value.kind === 'array' && value.values.length > maxNotIn) {
    throw invalidArgument(`'${operator}' supports up to ${maxNotIn} comparison values.`);
  }
  return { kind: 'field', field, operator, value };
}

const isDisjunction = (operator: ComparisonOperator): boolean =>
  operator === 'IN' || operator === 'ARRAY_CONTAINS_ANY';

function decodeUnaryFilter(json: JsonObject): Filter {
  const operator = unaries.get(json['op']);
  if (operator === undefined) throw invalidArgument('A filter has an unknown operator.');
  return {
    kind: 'field',
    field: decodeFieldReference(json['field']),
    operator: operator.includes('NOT') ? 'NOT_EQUAL' : 'EQUAL',
    value: operator.endsWith('NULL') ? nullValue : doubleValue(Number.NaN),
  };
}

function decodeCompositeFilter(json: JsonObject, depth: number): CompositeFilter {
  const { op, filters } = json;
  const operator = composites.get(op);
  if (operator === undefined || !Array.isArray(filters) || filters.length === 0) {
    throw invalidArgument('A composite filter needs AND or OR and at least one filter.');
  }
  return {
    kind: 'composite',
    operator,
    filters: filters.map((each) => decodeFilter(each, depth + 1)),
  };
}

/** The cost of a query grows faster than its size, and a query is checked before the caller is known. */
const maxParts = 100;

function checkSize(filter: Filter | null, orders: readonly Order[]): void {
  const count = (each: Filter): number =>
    each.kind === 'composite' ? each.filters.reduce((sum, inner) => sum + count(inner), 0) : 1;
  if ((filter === null ? 0 : count(filter)) + orders.length > maxParts) {
    throw invalidArgument(`A query can have at most ${maxParts} filters and orders.`);
  }
}

/** Refuses a filter that has too many disjunctions in disjunctive normal form. */
function checkDisjunctions(filter: Filter | null): void {
  const count = (each: Filter): number => {
    if (each.kind === 'field') {
      return isDisjunction(each.operator) && each.value.kind === 'array'
        ? each.value.values.length
        : 1;
    }
    const counts = each.filters.map(count);
    return each.operator === 'OR'
      ? counts.reduce((sum, one) => sum + one, 0)
      : counts.reduce((product, one) => product * one, 1);
  };
  if (filter !== null && count(filter) > maxDisjunctions) {
    throw invalidArgument(`A query can have at most ${maxDisjunctions} disjunctions.`);
  }
}

function decodeFieldReference(json: unknown): FieldPath {
  return parseFieldPath(isJsonObject(json) ? json['fieldPath'] : undefined);
}

function decodeOrders(json: unknown): readonly Order[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw invalidArgument('orderBy must be a list.');
  return json.map((each: unknown) => {
    if (!isJsonObject(each)) throw invalidArgument('An order must be an object.');
    return {
      field: decodeFieldReference(each['field']),
      isDescending: directions.get(each['direction']) === 'DESCENDING',
    };
  });
}

/** Adds the implicit orders: by inequality fields and by key, in the direction of the last explicit order. */
function completeOrder(explicit: readonly Order[], filter: Filter | null): readonly Order[] {
  const keyAt = explicit.findIndex((each) => isDocumentKey(each.field));
  if (keyAt !== -1 && keyAt !== explicit.length - 1) {
    throw invalidArgument('order by clause cannot contain more fields after the key');
  }
  if (keyAt !== -1) return explicit;
  const isDescending = explicit.at(-1)?.isDescending ?? false;
  const named = new Set(explicit.map((each) => each.field.text));
  const implicit = inequalityFields(filter)
    .filter((field) => !named.has(field.text) && !isDocumentKey(field))
    .toSorted((left, right) => compareStrings(left.text, right.text))
    .map((field) => ({ field, isDescending }));
  return [...explicit, ...implicit, { field: documentKeyPath, isDescending }];
}

const withoutOrder = new Set(['EQUAL', 'IN', 'ARRAY_CONTAINS', 'ARRAY_CONTAINS_ANY']);

function inequalityFields(filter: Filter | null): readonly FieldPath[] {
  const byText = new Map<string, FieldPath>();
  const visit = (each: Filter): void => {
    if (each.kind === 'composite') each.filters.forEach(visit);
    else if (isInequality(each.operator)) byText.set(each.field.text, each.field);
  };
  if (filter !== null) visit(filter);
  return [...byText.values()];
}

const isInequality = (operator: ComparisonOperator): boolean => !withoutOrder.has(operator);

function checkKeyEquality(filter: Filter | null): void {
  const inequalities = inequalityFields(filter);
  if (inequalities.length === 0 || inequalities.some(isDocumentKey)) return;
  if (hasKeyEquality(filter)) {
    throw invalidArgument(
      'Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.',
    );
  }
}

function hasKeyEquality(filter: Filter | null): boolean {
  if (filter === null) return false;
  if (filter.kind === 'composite') return filter.filters.some(hasKeyEquality);
  return filter.operator === 'EQUAL' && isDocumentKey(filter.field);
}

function decodeCursor(json: unknown, orderBy: readonly Order[]): Cursor | null {
  if (json === undefined) return null;
  if (!isJsonObject(json)) throw invalidArgument('A cursor must be an object.');
  const { values = [], before } = json;
  if (!Array.isArray(values) || values.length > orderBy.length) {
    throw invalidArgument('A cursor has too many values.');
  }
  return { values: values.map((each) => decodeValue(each)), before: before === true };
}

/** The largest count of the protocol, a signed 32-bit integer. */
const maxCount = 2 ** 31 - 1;

/** Decodes a plain number, or one that some clients wrap as `{"value": n}`. */
function decodeCount(json: unknown, what: string): number | null {
  const count = isJsonObject(json) ? json['value'] : json;
  if (count === undefined) return null;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > maxCount) {
    throw invalidArgument(`${what} must be a whole number from 0 to ${maxCount}.`);
  }
  return count;
}
