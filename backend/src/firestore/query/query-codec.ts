import { isJsonObject, type JsonObject } from '../../json.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import {
  documentKeyPath,
  isDocumentKey,
  parseFieldPath,
  type FieldPath,
} from '../values/field-path.ts';
import { checkSegment, type DatabaseNames } from '../values/resource-path.ts';
import {
  comparisonOperators,
  type ComparisonOperator,
  type Cursor,
  type FieldFilter,
  type Filter,
  type Order,
  type Query,
} from './query.ts';
import { directedKey } from './query-match.ts';
import { decodeValue } from '../values/value-codec.ts';
import { doubleValue, elementsOf, nullValue, type Value } from '../values/value.ts';
import { compareStrings } from '../values/value-key.ts';

/** Decodes a query and completes its order as Firestore does. @throws {FirestoreError} INVALID_ARGUMENT */
export function decodeQuery(json: unknown, parent: string, names: DatabaseNames): Query {
  if (!isJsonObject(json)) throw invalidArgument('structuredQuery must be an object.');
  if (json['findNearest'] !== undefined) {
    throw new FirestoreError('UNIMPLEMENTED', 'findNearest is not served.');
  }
  const filter = json['where'] === undefined ? null : decodeFilter(json['where'], 0);
  const orders = decodeOrders(json['orderBy']);
  const comparisons = comparisonsOf(filter);
  if (comparisons.length + orders.length > maxParts) {
    throw invalidArgument(`A query can have at most ${maxParts} filters and orders.`);
  }
  if (filter !== null && disjunctions(filter) > maxDisjunctions) {
    throw invalidArgument(`A query can have at most ${maxDisjunctions} disjunctions.`);
  }
  if (filter !== null && arrayFilters(filter) > 1) {
    throw invalidArgument('A maximum of one array-contains filter is allowed per disjunction.');
  }
  const inequalities = comparisons.filter((each) => !withoutOrder.has(each.operator));
  const orderBy = completeOrder(orders, inequalities);
  const isWithoutKey = inequalities.length > 0 && !inequalities.some(isOnKey);
  if (isWithoutKey && comparisons.some((each) => each.operator === 'EQUAL' && isOnKey(each))) {
    throw invalidArgument(
      'Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.',
    );
  }
  const startAt = decodeCursor(json['startAt'], orderBy);
  const endAt = decodeCursor(json['endAt'], orderBy);
  const keys = [
    ...comparisons.flatMap(keysOfFilter),
    ...[startAt, endAt].flatMap(keysOfCursor(orderBy)),
  ];
  if (!keys.every((each) => each.kind === 'reference' && names.isDocumentName(each.name))) {
    throw invalidArgument('__key__ filter value must be a Key');
  }
  return {
    parent,
    ...decodeFrom(json['from']),
    filter,
    orderBy,
    startAt,
    endAt,
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

/** Decodes an enumeration value: its name or, as firebase-admin sends it over REST, its number, which begins with `first`. */
const decodeEnum = <Name extends string>(
  json: unknown,
  names: readonly Name[],
  first = 1,
): Name | undefined => names.find((name, at) => json === name || json === first + at);

/** The cost of a query grows faster than its size, and a query is checked before the caller is known. */
const maxParts = 100;
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
  const operator = decodeEnum(json['op'], comparisonOperators);
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

/** Decodes a unary filter, which is a comparison with null or NaN. */
function decodeUnaryFilter(json: JsonObject): Filter {
  const operator = decodeEnum(json['op'], ['IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL'], 2);
  if (operator === undefined) throw invalidArgument('A filter has an unknown operator.');
  return {
    kind: 'field',
    field: decodeFieldReference(json['field']),
    operator: operator.includes('NOT') ? 'NOT_EQUAL' : 'EQUAL',
    value: operator.endsWith('NULL') ? nullValue : doubleValue(Number.NaN),
  };
}

function decodeCompositeFilter(json: JsonObject, depth: number): Filter {
  const { op, filters } = json;
  const operator = decodeEnum(op, ['AND', 'OR']);
  if (operator === undefined || !Array.isArray(filters) || filters.length === 0) {
    throw invalidArgument('A composite filter needs AND or OR and at least one filter.');
  }
  return {
    kind: 'composite',
    operator,
    filters: filters.map((each) => decodeFilter(each, depth + 1)),
  };
}

/** Returns all comparisons of a filter, in order. */
const comparisonsOf = (filter: Filter | null): readonly FieldFilter[] => {
  if (filter === null) return [];
  return filter.kind === 'field' ? [filter] : filter.filters.flatMap(comparisonsOf);
};

/** Returns the number of disjunctions in disjunctive normal form. */
function disjunctions(filter: Filter): number {
  if (filter.kind === 'field') {
    return isDisjunction(filter.operator) ? elementsOf(filter.value).length : 1;
  }
  const counts = filter.filters.map(disjunctions);
  return filter.operator === 'OR'
    ? counts.reduce((sum, one) => sum + one, 0)
    : counts.reduce((product, one) => product * one, 1);
}

/** Returns the highest number of comparisons with the elements of arrays in one disjunction. */
function arrayFilters(filter: Filter): number {
  if (filter.kind === 'field') return Number(filter.operator.startsWith('ARRAY_CONTAINS'));
  const counts = filter.filters.map(arrayFilters);
  return filter.operator === 'OR' ? Math.max(...counts) : counts.reduce((sum, one) => sum + one, 0);
}

export const decodeFieldReference = (json: unknown): FieldPath =>
  parseFieldPath(isJsonObject(json) ? json['fieldPath'] : undefined);

function decodeOrders(json: unknown): readonly Order[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw invalidArgument('orderBy must be a list.');
  const orders = json.map((each: unknown) => {
    if (!isJsonObject(each)) throw invalidArgument('An order must be an object.');
    return {
      field: decodeFieldReference(each['field']),
      isDescending: decodeEnum(each['direction'], ['ASCENDING', 'DESCENDING']) === 'DESCENDING',
    };
  });
  if (new Set(orders.map(({ field }) => field.text)).size < orders.length) {
    throw invalidArgument('order by clause cannot contain duplicate fields');
  }
  return orders;
}

/** Adds the implicit orders: by inequality fields and by key, in the direction of the last explicit order. */
function completeOrder(
  explicit: readonly Order[],
  inequalities: readonly FieldFilter[],
): readonly Order[] {
  const keyAt = explicit.findIndex((each) => isDocumentKey(each.field));
  if (keyAt !== -1 && keyAt !== explicit.length - 1) {
    throw invalidArgument('order by clause cannot contain more fields after the key');
  }
  if (keyAt !== -1) return explicit;
  const isDescending = explicit.at(-1)?.isDescending ?? false;
  const named = new Set(explicit.map((each) => each.field.text));
  const fields = new Map(inequalities.map(({ field }) => [field.text, field]));
  const implicit = [...fields.values()]
    .filter((field) => !named.has(field.text) && !isDocumentKey(field))
    .toSorted((left, right) => compareStrings(left.text, right.text))
    .map((field) => ({ field, isDescending }));
  return [...explicit, ...implicit, { field: documentKeyPath, isDescending }];
}

const withoutOrder = new Set<ComparisonOperator>([
  'EQUAL',
  'IN',
  'ARRAY_CONTAINS',
  'ARRAY_CONTAINS_ANY',
]);

const isOnKey = ({ field }: FieldFilter): boolean => isDocumentKey(field);

/** Returns the values that a filter compares with the key. An array operator compares it with a list, which is no key. */
function keysOfFilter(filter: FieldFilter): readonly Value[] {
  if (!isOnKey(filter)) return [];
  const { operator, value } = filter;
  if (operator.startsWith('ARRAY_CONTAINS')) return [nullValue];
  return operator === 'IN' || operator === 'NOT_IN' ? elementsOf(value) : [value];
}

const keysOfCursor =
  (orderBy: readonly Order[]) =>
  (cursor: Cursor | null): readonly Value[] =>
    (cursor?.values ?? []).filter((_, at) => orderBy[at] && isDocumentKey(orderBy[at].field));

function decodeCursor(json: unknown, orderBy: readonly Order[]): Cursor | null {
  if (json === undefined) return null;
  if (!isJsonObject(json)) throw invalidArgument('A cursor must be an object.');
  const { values = [], before } = json;
  if (!Array.isArray(values) || values.length > orderBy.length) {
    throw invalidArgument('A cursor has too many values.');
  }
  const decoded = values.map((each) => decodeValue(each));
  return { values: decoded, key: directedKey(decoded, orderBy), before: before === true };
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
