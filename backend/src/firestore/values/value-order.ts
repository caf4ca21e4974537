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
 *
 * @param keys return the bytes of `left`, of which so many are needed, and of `right`: the caller may have encoded them before.
 */
export function compareValues(left: Value, right: Value, keys: Keys = newKeys): number {
  if (left.kind === 'string' && right.kind === 'string') {
    return compareStrings(left.value, right.value);
  }
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (isSameType(left, right)) {
    const key = keys.ofRight(right);
    return Buffer.compare(keys.ofLeft(left, key.length).subarray(0, key.length), key);
  }
  return kinds.indexOf(left.kind) - kinds.indexOf(right.kind) || (isVector(left) ? -1 : 1);
}

interface Keys {
  readonly ofLeft: (value: Value, maxBytes: number) => Buffer;
  readonly ofRight: (value: Value) => Buffer;
}

const newKeys: Keys = { ofLeft: valueKey, ofRight: (value) => valueKey(value) };

/** The kinds in the order of their types. */
const kinds = 'null boolean integer double timestamp string bytes reference geo array map'.split(
  ' ',
);

/** Values of different types never satisfy an inequality. Integers and doubles are of one type, vectors and maps are not. */
export const isSameType = (left: Value, right: Value): boolean =>
  (isNumber(left) && isNumber(right)) ||
  (left.kind === right.kind && isVector(left) === isVector(right));

const isVector = (value: Value): boolean =>
  value.kind === 'map' && vectorElements(value) !== undefined;

/** Compares numbers; JavaScript compares bigint and number exactly, even above 2^53. */
function compareNumbers(left: NumberValue, right: NumberValue): number {
  const leftNaN = isNaNValue(left);
  const rightNaN = isNaNValue(right);
  if (leftNaN || rightNaN) return Number(rightNaN) - Number(leftNaN);
  if (left.value < right.value) return -1;
  return left.value > right.value ? 1 : 0;
}
