import { compareStrings, valueKey } from './value-key.ts';
import { isNaNValue, isNumber, vectorElements, type NumberValue, type Value } from './value.ts';

/**
 * Compares two values.
 *
 * - The order is the total order of the SDK; any difference is visible in a client as flicker.
 * - null < bool < number (NaN first, integers and doubles mixed) < timestamp < string < bytes
 *   < reference < geo point < array < vector < map.
 * - Strings compare by their UTF-8 bytes, not by UTF-16 code units.
 * - The most frequent kinds are compared without encoding them as bytes.
 */
export function compareValues(left: Value, right: Value): number {
  if (left.kind === 'string' && right.kind === 'string') {
    return compareStrings(left.value, right.value);
  }
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  return typeOrder(left) - typeOrder(right) || Buffer.compare(valueKey(left), valueKey(right));
}

const rankByKind = {
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
const vectorRank = 9;

/** Values of different type orders never satisfy an inequality. */
export function typeOrder(value: Value): number {
  return value.kind === 'map' && vectorElements(value) !== undefined
    ? vectorRank
    : rankByKind[value.kind];
}

/** Compares numbers; JavaScript compares bigint and number exactly, even above 2^53. */
function compareNumbers(left: NumberValue, right: NumberValue): number {
  const leftNaN = isNaNValue(left);
  const rightNaN = isNaNValue(right);
  if (leftNaN || rightNaN) return Number(rightNaN) - Number(leftNaN);
  if (left.value < right.value) return -1;
  return left.value > right.value ? 1 : 0;
}
