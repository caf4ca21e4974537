import { isJsonObject } from '../../../src/json.ts';
import { databaseNames } from '../../support/test-database.ts';
import {
  compareJson,
  isArray,
  isNaNJson,
  isNull,
  itemsOf,
  membersOf,
  typeOf,
} from './naive-order.ts';
import type { AnyQuery, Json } from './random-documents.ts';

/** The fields of documents by their paths. */
export type NaiveDocuments = ReadonlyMap<string, Record<string, Json>>;

/** Returns the paths that a query finds: it checks every document and sorts the matching ones. */
export function naiveQuery(
  { parent, structuredQuery }: AnyQuery,
  documents: NaiveDocuments,
): string[] {
  const { from, where, startAt, endAt, limit, offset } = structuredQuery;
  const scope: unknown = Array.isArray(from) ? from[0] : undefined;
  const { collectionId, allDescendants } = isJsonObject(scope) ? scope : {};
  const orders = ordersOf(structuredQuery);
  const found = [...documents]
    .filter(([path]) => isInScope(path, parent, { collectionId, allDescendants }))
    .map(([path, fields]) => ({ path, keys: keysOf(path, fields, orders), fields }))
    .filter(({ keys }) => !keys.includes(undefined))
    .filter(({ path, fields }) => where === undefined || matches(where, path, fields))
    .filter(({ keys }) => isInside(keys, orders, { startAt, endAt }))
    .toSorted((left, right) => compareKeys(left.keys, right.keys, orders))
    .map(({ path }) => path);
  const first = typeof offset === 'number' ? offset : 0;
  return found.slice(first, typeof limit === 'number' ? first + limit : undefined);
}

function isInScope(path: string, parent: string, { collectionId, allDescendants }: Json): boolean {
  const segments = path.split('/');
  const prefix = parent === '' ? [] : parent.split('/');
  const isBelow = prefix.every((each, at) => segments[at] === each);
  const isDirect = segments.length === prefix.length + 2;
  return isBelow && segments.at(-2) === collectionId && (allDescendants === true || isDirect);
}

interface Order {
  readonly field: string;
  readonly isDescending: boolean;
}

const fieldOf = (json: unknown): string =>
  isJsonObject(json) && isJsonObject(json['field']) ? String(json['field']['fieldPath']) : '';

/** Returns the explicit orders, then the fields of inequalities by name, then the key. */
function ordersOf({ orderBy, where }: Json): readonly Order[] {
  const stated = (Array.isArray(orderBy) ? orderBy : []).map((each: unknown) => ({
    field: fieldOf(each),
    isDescending: isJsonObject(each) && each['direction'] === 'DESCENDING',
  }));
  const isDescending = stated.at(-1)?.isDescending ?? false;
  const names = [...new Set(where === undefined ? [] : inequalities(where))].toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const implied = [...names, '__name__']
    .filter((field) => stated.every((each) => each.field !== field && each.field !== '__name__'))
    .map((field) => ({ field, isDescending }));
  return [...stated, ...implied];
}

const inequalityPattern = /^(?:LESS|GREATER|NOT_|IS_NOT)/;

function inequalities(filter: unknown): string[] {
  if (!isJsonObject(filter)) return [];
  const { compositeFilter, fieldFilter, unaryFilter } = filter;
  if (isJsonObject(compositeFilter)) return partsOf(compositeFilter).flatMap(inequalities);
  const simple = fieldFilter ?? unaryFilter;
  return isJsonObject(simple) && inequalityPattern.test(String(simple['op']))
    ? [fieldOf(simple)]
    : [];
}

const partsOf = ({ filters }: Json): readonly unknown[] => (Array.isArray(filters) ? filters : []);

function valueOf(path: string, fields: Record<string, Json>, field: string): Json | undefined {
  if (field === '__name__') return { referenceValue: databaseNames.toName(path) };
  const [first = '', ...rest] = field.split('.');
  return rest.reduce<Json | undefined>(
    (value, name) =>
      value !== undefined && 'mapValue' in value ? membersOf(value)[name] : undefined,
    fields[first],
  );
}

type Keys = readonly (Json | undefined)[];

const keysOf = (path: string, fields: Record<string, Json>, orders: readonly Order[]): Keys =>
  orders.map(({ field }) => valueOf(path, fields, field));

function compareKeys(left: Keys, right: Keys, orders: readonly Order[]): number {
  for (const [at, { isDescending }] of orders.entries()) {
    const [a, b] = [left[at], right[at]];
    const difference = a === undefined || b === undefined ? 0 : compareJson(a, b);
    if (difference !== 0) return isDescending ? -difference : difference;
  }
  return 0;
}

const isBefore = (cursor: unknown): boolean => isJsonObject(cursor) && cursor['before'] === true;

function isInside(keys: Keys, orders: readonly Order[], { startAt, endAt }: Json): boolean {
  const place = (cursor: unknown): number | undefined => {
    if (!isJsonObject(cursor)) return undefined;
    // The generator makes only well-formed cursors.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
    return compareKeys(keys, cursor['values'] as Keys, orders);
  };
  const fromStart = place(startAt);
  const fromEnd = place(endAt);
  if (fromStart !== undefined && (isBefore(startAt) ? fromStart < 0 : fromStart <= 0)) return false;
  return fromEnd === undefined || (isBefore(endAt) ? fromEnd < 0 : fromEnd <= 0);
}

function matches(filter: unknown, path: string, fields: Record<string, Json>): boolean {
  if (!isJsonObject(filter)) return false;
  const { compositeFilter, fieldFilter, unaryFilter } = filter;
  if (isJsonObject(compositeFilter)) {
    const verdicts = partsOf(compositeFilter).map((each) => matches(each, path, fields));
    return compositeFilter['op'] === 'AND' ? !verdicts.includes(false) : verdicts.includes(true);
  }
  const simple = fieldFilter ?? unaryFilter;
  const value = valueOf(path, fields, fieldOf(simple));
  if (value === undefined || !isJsonObject(simple)) return false;
  const operand = isJsonObject(simple['value']) ? simple['value'] : {};
  return compares(String(simple['op']), value, operand);
}

const isSame = (left: Json, right: Json): boolean => compareJson(left, right) === 0;

/** Null and NaN are in no list. */
const isIn = (value: Json, list: Json): boolean =>
  !isNull(value) && !isNaNJson(value) && itemsOf(list).some((each) => isSame(each, value));

function compares(operator: string, value: Json, operand: Json): boolean {
  switch (operator) {
    case 'EQUAL':
      return isSame(value, operand);
    case 'NOT_EQUAL':
      return !isNull(value) && !isSame(value, operand);
    case 'IN':
      return isIn(value, operand);
    case 'NOT_IN':
      return (
        !isNull(value) && itemsOf(operand).every((each) => !isNull(each) && !isSame(each, value))
      );
    case 'ARRAY_CONTAINS':
      return isArray(value) && itemsOf(value).some((each) => isSame(each, operand));
    case 'ARRAY_CONTAINS_ANY':
      return isArray(value) && itemsOf(value).some((each) => isIn(each, operand));
    case 'IS_NULL':
      return isNull(value);
    case 'IS_NAN':
      return isNaNJson(value);
    case 'IS_NOT_NULL':
      return !isNull(value);
    case 'IS_NOT_NAN':
      return !isNull(value) && !isNaNJson(value);
    default:
      return isOnSide(operator, value, operand);
  }
}

/** Whether a value satisfies an inequality; only values of one type are compared, and NaN only with itself. */
function isOnSide(operator: string, value: Json, operand: Json): boolean {
  if (typeOf(value) !== typeOf(operand) || isNaNJson(value) !== isNaNJson(operand)) return false;
  const difference = compareJson(value, operand);
  if (difference === 0) return operator.endsWith('OR_EQUAL');
  return difference < 0 === operator.startsWith('LESS');
}

/** Computes an aggregation of `field`. */
export function naiveAggregate(found: readonly string[], documents: NaiveDocuments, field: string) {
  const values = found
    .map((path) => valueOf(path, documents.get(path) ?? {}, field))
    .filter((each) => each !== undefined);
  const numbers = values.filter((each) => 'integerValue' in each || 'doubleValue' in each);
  return { count: values.length, sum: sumOf(numbers), avg: averageOf(numbers) };
}

const asNumber = ({ integerValue, doubleValue }: Json): number =>
  Number(integerValue ?? doubleValue);

const maxInt64 = 2n ** 63n - 1n;

function sumOf(numbers: readonly Json[]): Json {
  if (numbers.every((each) => 'integerValue' in each)) {
    const whole = numbers.reduce((sum, each) => sum + BigInt(String(each['integerValue'])), 0n);
    if (whole <= maxInt64 && whole >= -maxInt64 - 1n) return { integerValue: String(whole) };
  }
  return doubleOf(numbers.reduce((sum, each) => sum + asNumber(each), 0));
}

function averageOf(numbers: readonly Json[]): Json {
  if (numbers.length === 0) return { nullValue: null };
  const { integerValue, doubleValue } = sumOf(numbers);
  return doubleOf(Number(integerValue ?? doubleValue) / numbers.length);
}

const doubleOf = (value: number): Json => ({
  doubleValue: Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : value) : String(value),
});
