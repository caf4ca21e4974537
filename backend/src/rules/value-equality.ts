import { UnknownError } from './evaluation-error.ts';
import { referenceToPath, type RuleFields, type RuleValue } from './rule-value.ts';

/**
 * - Values of different types are unequal, except that integers and floats compare by their number.
 * - Lists and maps compare by what is in them, sets whatever their order; NaN equals nothing.
 */
export function areEqual(left: RuleValue, right: RuleValue): boolean {
  if (left.kind === 'reference') return areEqual(referenceToPath(left.name), right);
  if (right.kind === 'reference') return areEqual(left, referenceToPath(right.name));
  if (isPartial(left) || isPartial(right)) return arePartialEqual(left, right);
  switch (left.kind) {
    case 'null':
      return right.kind === 'null';
    case 'boolean':
      return right.kind === 'boolean' && left.value === right.value;
    case 'string':
      return right.kind === 'string' && left.value === right.value;
    case 'integer':
    case 'double':
      // A bigint and a number compare exactly, also beyond 2^53.
      // oxlint-disable-next-line eqeqeq
      return (right.kind === 'integer' || right.kind === 'double') && left.value == right.value;
    case 'bytes':
      return right.kind === 'bytes' && decode(left.base64).equals(decode(right.base64));
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
    default:
      return areEqualContainers(left, right);
  }
}

const decode = (base64: string): Buffer => Buffer.from(base64, 'base64');

const isPartial = (value: RuleValue): boolean =>
  value.kind === 'partial-map' || value.kind === 'partial-list';

const isMap = (value: RuleValue) => value.kind === 'map' || value.kind === 'partial-map';
const isList = (value: RuleValue) => value.kind === 'array' || value.kind === 'partial-list';

function arePartialEqual(left: RuleValue, right: RuleValue): boolean {
  if (isMap(left) && isMap(right)) throw new UnknownError('the whole map');
  if (isList(left) && isList(right)) throw new UnknownError('the whole list');
  return false;
}

function areEqualContainers(left: RuleValue, right: RuleValue): boolean {
  if (left.kind === 'path' && right.kind === 'path') {
    return left.segments.join('/') === right.segments.join('/');
  }
  if (left.kind === 'array' && right.kind === 'array') {
    return (
      left.values.length === right.values.length &&
      left.values.every((each, at) => {
        const other = right.values[at];
        return other !== undefined && areEqual(each, other);
      })
    );
  }
  if (left.kind === 'set' && right.kind === 'set') {
    return (
      left.values.length === right.values.length &&
      left.values.every((each) => includes(right.values, each))
    );
  }
  if (left.kind === 'map' && right.kind === 'map') return areEqualMaps(left.fields, right.fields);
  if (left.kind === 'map-diff' && right.kind === 'map-diff') {
    return areEqualMaps(left.left, right.left) && areEqualMaps(left.right, right.right);
  }
  return false;
}

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

/** Without repetitions, in the order of the first of each. */
export function distinct(values: readonly RuleValue[]): readonly RuleValue[] {
  const result: RuleValue[] = [];
  for (const value of values) if (!includes(result, value)) result.push(value);
  return result;
}
