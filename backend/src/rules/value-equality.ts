import { randomUUID } from 'node:crypto';
import { UnknownError } from './evaluation-error.ts';
import { dereferenced, toBuffer, typeName, type RuleFields, type RuleValue } from './rule-value.ts';

/**
 * - Values of different types are unequal, except that integers and floats compare by their number.
 * - Lists and maps compare by their contents, sets whatever their order; NaN equals nothing.
 */
export function areEqual(one: RuleValue, other: RuleValue): boolean {
  const [left, right] = [dereferenced(one), dereferenced(other)];
  if (isPartial(left) || isPartial(right)) return arePartialEqual(left, right);
  switch (left.kind) {
    case 'null':
      return right.kind === 'null';
    case 'boolean':
    case 'string':
      return right.kind === left.kind && left.value === right.value;
    case 'integer':
    case 'double':
      // A bigint and a number compare exactly, also beyond 2^53.
      // oxlint-disable-next-line eqeqeq
      return (right.kind === 'integer' || right.kind === 'double') && left.value == right.value;
    case 'bytes':
      return right.kind === 'bytes' && toBuffer(left).equals(toBuffer(right));
    case 'timestamp':
      return (
        right.kind === 'timestamp' && left.seconds === right.seconds && left.nanos === right.nanos
      );
    case 'duration':
      return right.kind === 'duration' && left.nanos === right.nanos;
    case 'geo':
      return (
        right.kind === 'geo' &&
        left.latitude === right.latitude &&
        left.longitude === right.longitude
      );
    case 'path':
      return right.kind === 'path' && left.segments.join('/') === right.segments.join('/');
    case 'array':
      return right.kind === 'array' && areEqualLists(left.values, right.values);
    case 'set':
      return (
        right.kind === 'set' &&
        left.values.length === right.values.length &&
        left.values.every(memberOf(right.values))
      );
    case 'map':
      return right.kind === 'map' && areEqualMaps(left.fields, right.fields);
    default:
      return (
        right.kind === 'map-diff' &&
        areEqualMaps(left.left, right.left) &&
        areEqualMaps(left.right, right.right)
      );
  }
}

type Partial = Extract<RuleValue, { kind: 'partial-map' | 'partial-list' }>;

const isPartial = (value: RuleValue): value is Partial =>
  value.kind === 'partial-map' || value.kind === 'partial-list';

/** A partial map or list may equal any other one. */
function arePartialEqual(left: RuleValue, right: RuleValue): boolean {
  if (typeName(left) !== typeName(right)) return false;
  throw new UnknownError(`what the whole ${typeName(left)} is`);
}

const areEqualLists = (left: readonly RuleValue[], right: readonly RuleValue[]): boolean =>
  left.length === right.length &&
  left.every((each, at) => {
    const other = right[at];
    return other !== undefined && areEqual(each, other);
  });

function areEqualMaps(left: RuleFields, right: RuleFields): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || !areEqual(value, other)) return false;
  }
  return true;
}

export const includes = (values: readonly RuleValue[], value: RuleValue): boolean =>
  values.some((each) => areEqual(each, value));

/** Many values are looked up by a key, so that asking for each of as many others takes linear time. */
const MANY = 32;

export function memberOf(values: readonly RuleValue[]): (value: RuleValue) => boolean {
  if (values.length < MANY) return (value) => includes(values, value);
  const keys = new Set(values.map(keyOf));
  return (value) => keys.has(keyOf(value));
}

/** Without repetitions; the first of equal values stays. */
export function distinct(values: readonly RuleValue[]): readonly RuleValue[] {
  const byKey = new Map<string, RuleValue>();
  for (const value of values) {
    const key = keyOf(value);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  return [...byKey.values()];
}

/** Equal values have the same key, unequal ones different keys. */
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
      return ['bytes', toBuffer(value).toString('hex')];
    case 'timestamp':
      return ['timestamp', value.seconds, value.nanos];
    case 'duration':
      return ['duration', String(value.nanos)];
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

const toMapKey = (fields: RuleFields): readonly string[] =>
  [...fields].map(([key, value]) => JSON.stringify([key, toKey(value)])).toSorted();
