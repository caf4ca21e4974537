import {
  isNaNValue,
  vectorElements,
  type Fields,
  type NumberValue,
  type Value,
} from '../../src/firestore/values/value.ts';

/**
 * The order of values, written down a second time and in another way: value by value, where the server compares bytes.
 *
 * - The same total order as the SDK keeps locally; any difference shows up in a client as flicker.
 * - null < bool < number (NaN first, integers and doubles mixed) < timestamp < string < bytes
 *   < reference < geo point < array < vector < map.
 * - Strings compare by their UTF-8 bytes, not by UTF-16 code units.
 */
export function compareValues(left: Value, right: Value): number {
  const byType = typeOrder(left) - typeOrder(right);
  return byType === 0 ? compareSameType(left, right) : byType;
}

const TYPE_ORDER = {
  null: 0,
  boolean: 1,
  integer: 2,
  double: 2,
  timestamp: 3,
  string: 4,
  bytes: 5,
  reference: 6,
  geo: 7,
  array: 8,
  map: 10,
} as const;
const VECTOR_ORDER = 9;

/** Values of different type orders never satisfy an inequality. */
function typeOrder(value: Value): number {
  return value.kind === 'map' && vectorElements(value) !== undefined
    ? VECTOR_ORDER
    : TYPE_ORDER[value.kind];
}

function compareSameType(left: Value, right: Value): number {
  switch (left.kind) {
    case 'null':
      return 0;
    case 'boolean':
      return right.kind === 'boolean' ? Number(left.value) - Number(right.value) : 0;
    case 'integer':
    case 'double':
      return right.kind === 'integer' || right.kind === 'double' ? compareNumbers(left, right) : 0;
    case 'timestamp':
      return right.kind === 'timestamp'
        ? left.seconds - right.seconds || left.nanos - right.nanos
        : 0;
    case 'string':
      return right.kind === 'string' ? compareStrings(left.value, right.value) : 0;
    case 'bytes':
      return right.kind === 'bytes'
        ? Buffer.compare(Buffer.from(left.base64, 'base64'), Buffer.from(right.base64, 'base64'))
        : 0;
    case 'reference':
      return right.kind === 'reference' ? comparePaths(left.name, right.name) : 0;
    case 'geo':
      return right.kind === 'geo'
        ? left.latitude - right.latitude || left.longitude - right.longitude
        : 0;
    case 'array':
      return right.kind === 'array' ? compareArrays(left.values, right.values) : 0;
    default:
      return right.kind === 'map' ? compareMaps(left.fields, right.fields) : 0;
  }
}

/** bigint and number compare exactly in JavaScript, also beyond 2^53. */
function compareNumbers(left: NumberValue, right: NumberValue): number {
  const leftNaN = isNaNValue(left);
  const rightNaN = isNaNValue(right);
  if (leftNaN || rightNaN) return Number(rightNaN) - Number(leftNaN);
  if (left.value < right.value) return -1;
  return left.value > right.value ? 1 : 0;
}

/** Surrogates stand for code points above U+FFFF, so in UTF-8 they sort after every other unit. */
function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/**
 * By segment; ids of the form `__id7__` come first, in the order of their numbers. Reading a number takes the square of
 * its length, so more digits than an integer has are no number.
 */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  const a = left.split('/');
  const b = right.split('/');
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const order = compareSegments(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareSegments(left: string, right: string): number {
  const a = numericId(left);
  const b = numericId(right);
  // The same number may be written in several ways, and no two ids are equal.
  if (a !== undefined && b !== undefined && a !== b) return a < b ? -1 : 1;
  if (a !== undefined && b !== undefined) return compareStrings(left, right);
  if (a !== undefined) return -1;
  return b === undefined ? compareStrings(left, right) : 1;
}

function numericId(segment: string): bigint | undefined {
  if (!segment.startsWith('__id')) return undefined;
  const digits = /^__id(-?\d{1,19})__$/.exec(segment)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

function compareArrays(left: readonly Value[], right: readonly Value[]): number {
  for (const [at, a] of left.entries()) {
    const b = right[at];
    if (b === undefined) return 1;
    const order = compareValues(a, b);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareMaps(left: Fields, right: Fields): number {
  const a = vectorElements({ kind: 'map', fields: left });
  const b = vectorElements({ kind: 'map', fields: right });
  if (a !== undefined && b !== undefined) return a.length - b.length || compareArrays(a, b);
  const leftKeys = [...left.keys()].toSorted(compareStrings);
  const rightKeys = [...right.keys()].toSorted(compareStrings);
  for (const [at, key] of leftKeys.entries()) {
    const other = rightKeys[at];
    if (other === undefined) return 1;
    const order = compareStrings(key, other) || compareMembers(left.get(key), right.get(other));
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

const compareMembers = (left: Value | undefined, right: Value | undefined): number =>
  left === undefined || right === undefined ? 0 : compareValues(left, right);
