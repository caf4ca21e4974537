import { randomUUID } from 'node:crypto';
import { UnknownError } from './evaluation-error.ts';
import { dereferenced, isNumber, typeName, type RuleFields, type RuleValue } from './rule-value.ts';

/**
 * - Values of different types are unequal, except that integers and floats compare by their numeric value.
 * - Lists and maps compare by their contents, sets regardless of order; NaN equals nothing.
 */
export function areEqual(one: RuleValue, other: RuleValue): boolean {
  const left = dereferenced(one);
  const right = dereferenced(other);
  if (left.kind === 'null' || right.kind === 'null') return left.kind === right.kind;
  if (left.kind === 'string' || left.kind === 'boolean') {
    return left.kind === right.kind && left.value === right.value;
  }
  if (isNumber(left) && isNumber(right)) {
    // oxlint-disable-next-line eqeqeq -- a bigint and a number compare exactly, even above 2^53, and are never identical
    return left.value == right.value;
  }
  return typeName(left) === typeName(right) && keyOf(left) === keyOf(right);
}

export const includes = (values: readonly RuleValue[], value: RuleValue): boolean =>
  values.some((each) => areEqual(each, value));

/** From this size on, values are looked up by a key, so that looking up many takes linear time. */
const many = 32;

export function memberOf(values: readonly RuleValue[]): (value: RuleValue) => boolean {
  if (values.length < many) return (value) => includes(values, value);
  const keys = new Set(values.map(keyOf));
  return (value) => keys.has(keyOf(value));
}

/** Returns a key that is equal exactly for equal values. @throws for a partial map or list, which may equal any other. */
const keyOf = (value: RuleValue): string => JSON.stringify(toKey(value));

function toKey(one: RuleValue): unknown {
  const value = dereferenced(one);
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
      return value.value;
    case 'integer':
    case 'double':
      // NaN equals nothing, so its key is a new one each time.
      if (Number.isNaN(value.value)) return randomUUID();
      return [`${Number.isInteger(value.value) ? BigInt(value.value) : value.value}`];
    case 'bytes':
      return ['bytes', Buffer.from(value.base64, 'base64').toString('hex')];
    case 'timestamp':
      return ['timestamp', value.seconds, value.nanos];
    case 'geo':
      return ['geo', value.latitude, value.longitude];
    case 'path':
      return ['path', value.segments.join('/')];
    case 'array':
      return ['list', ...value.values.map(toKey)];
    case 'set':
      return ['set', ...value.values.map(keyOf).toSorted()];
    case 'map':
      return ['map', toMapKey(value.fields)];
    case 'map-diff':
      return ['diff', toMapKey(value.left), toMapKey(value.right)];
    default:
      throw new UnknownError(`what the whole ${typeName(value)} is`);
  }
}

const toMapKey = (fields: RuleFields): readonly unknown[] =>
  [...fields]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => [name, toKey(value)]);
