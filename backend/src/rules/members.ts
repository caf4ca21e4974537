import { EvaluationError, UnknownError } from './evaluation-error.ts';
import { dereferenced, expectKind, text, typeName, type RuleValue } from './rule-value.ts';

/** Reads `a.b`. A missing member is an error, never null, and so it is for `a[b]`. */
export function member(object: RuleValue, name: string): RuleValue {
  const value = memberOrNone(object, name);
  if (value === undefined) throw new EvaluationError(`"${name}" is undefined.`);
  return value;
}

/** Returns undefined when the map is completely known and lacks the member. @throws {UnknownError} when it is not known. */
export function memberOrNone(object: RuleValue, name: string): RuleValue | undefined {
  if (object.kind === 'map') return object.fields.get(name);
  if (object.kind !== 'partial-map') {
    throw new EvaluationError(`"${name}" is asked of a value of type ${typeName(object)}.`);
  }
  const value = object.known.get(name);
  if (value === undefined) throw new UnknownError(`what "${name}" is`);
  return value;
}

export function element(container: RuleValue, index: RuleValue): RuleValue {
  const object = dereferenced(container);
  switch (object.kind) {
    case 'map':
    case 'partial-map':
      return member(object, expectKind(index, 'string').value);
    case 'array':
      return at(object.values, index);
    case 'path':
      return text(at(object.segments, index));
    default:
      throw new EvaluationError(`A value of type ${typeName(object)} has no elements.`);
  }
}

function at<T>(values: readonly T[], index: RuleValue): T {
  const value = values[Number(expectKind(index, 'integer').value)];
  if (value === undefined) throw new EvaluationError('An index is out of range.');
  return value;
}
