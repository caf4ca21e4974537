import { EvaluationError, UnknownError } from './evaluation-error.ts';
import {
  expectKind,
  list,
  path,
  referenceToPath,
  text,
  typeName,
  type RuleFields,
  type RuleValue,
} from './rule-value.ts';

/** Reading into values: `a.b`, `a[b]`, `a[b:c]`. Whatever is not there is an error, never null. */
export function member(object: RuleValue, name: string): RuleValue {
  if (object.kind === 'map') return field(object.fields, name);
  if (object.kind === 'partial-map') return knownField(object.known, name);
  throw new EvaluationError(`"${name}" is asked of a value of type ${typeName(object)}.`);
}

function field(fields: RuleFields, name: string): RuleValue {
  const value = fields.get(name);
  if (value === undefined) throw new EvaluationError(`"${name}" is undefined.`);
  return value;
}

export function knownField(known: RuleFields, name: string): RuleValue {
  const value = known.get(name);
  if (value === undefined) throw new UnknownError(`"${name}"`);
  return value;
}

export function element(object: RuleValue, index: RuleValue): RuleValue {
  switch (object.kind) {
    case 'map':
    case 'partial-map':
      return member(object, expectKind(index, 'string').value);
    case 'array':
      return at(object.values, index);
    case 'string':
      return text(at(Array.from(object.value), index));
    case 'reference':
      return element(referenceToPath(object.name), index);
    case 'path':
      return text(at(object.segments, index));
    case 'partial-list':
      throw new UnknownError('in the list');
    default:
      throw new EvaluationError(`A value of type ${typeName(object)} has no elements.`);
  }
}

function at<T>(values: readonly T[], index: RuleValue): T {
  const value = values[position(index)];
  if (value === undefined) throw new EvaluationError('An index is out of range.');
  return value;
}

function position(index: RuleValue): number {
  const { value } = expectKind(index, 'integer');
  if (value < 0n) throw new EvaluationError('An index is out of range.');
  return Number(value);
}

export function range(object: RuleValue, from: RuleValue, to: RuleValue): RuleValue {
  const start = position(from);
  const end = position(to);
  const slice = <T>(values: readonly T[]): T[] => {
    if (start > end || end > values.length) {
      throw new EvaluationError('A range is beyond what is there.');
    }
    return values.slice(start, end);
  };
  switch (object.kind) {
    case 'reference':
      return range(referenceToPath(object.name), from, to);
    case 'array':
      return list(slice(object.values));
    case 'string':
      return text(slice(Array.from(object.value)).join(''));
    case 'path':
      return path(slice(object.segments));
    default:
      throw new EvaluationError(`A value of type ${typeName(expectWhole(object))} has no ranges.`);
  }
}

function expectWhole(value: RuleValue): RuleValue {
  return value.kind === 'partial-list' ? expectKind(value, 'array') : value;
}
