import { encodingWork } from '../values/value-measure.ts';
import { equalityKey } from '../values/value-key.ts';
import {
  nullValue,
  doubleValue,
  elementsOf,
  integerValue,
  isNaNValue,
  isNumber,
  maxInt64,
  minInt64,
  type NumberValue,
  type TimestampValue,
  type Value,
} from '../values/value.ts';
import type { TransformOperation } from './write.ts';

export interface TransformOutcome {
  readonly value: Value;
  /** The result in the answer; null for arrays, because the client computes them itself. */
  readonly result: Value;
}

/** Returns the work of a transform, in bytes of text. */
export const transformWork = (operation: TransformOperation, current: Value | undefined): number =>
  operation.kind === 'union' || operation.kind === 'remove'
    ? encodingWork(elementsOf(current)) + encodingWork(operation.values)
    : 0;

export function applyTransform(
  operation: TransformOperation,
  current: Value | undefined,
  now: TimestampValue,
): TransformOutcome {
  switch (operation.kind) {
    case 'requestTime':
      return told(now);
    case 'increment':
      return told(isNumber(current) ? add(current, operation.operand) : operation.operand);
    case 'maximum':
    case 'minimum':
      return told(isNumber(current) ? extreme(operation, current) : operation.operand);
    case 'union':
      return { value: union(current, operation.values), result: nullValue };
    default:
      return { value: remove(current, operation.values), result: nullValue };
  }
}

const told = (value: Value): TransformOutcome => ({ value, result: value });

/** Adds two numbers; integers saturate at the limits of int64 instead of wrapping around. */
function add(left: NumberValue, right: NumberValue): NumberValue {
  if (left.kind === 'integer' && right.kind === 'integer') {
    const sum = left.value + right.value;
    return integerValue(sum > maxInt64 ? maxInt64 : sum < minInt64 ? minInt64 : sum);
  }
  return doubleValue(Number(left.value) + Number(right.value));
}

function extreme(
  { kind, operand }: { readonly kind: 'maximum' | 'minimum'; readonly operand: NumberValue },
  current: NumberValue,
): NumberValue {
  if (isNaNValue(current) || isNaNValue(operand)) return doubleValue(Number.NaN);
  // JavaScript compares bigint and number exactly, even above 2^53. Of equal numbers, such as 0 and -0, the current one stays.
  const isBetter =
    kind === 'maximum' ? operand.value > current.value : operand.value < current.value;
  return isBetter ? operand : current;
}

/** Appends the missing values. It finds equal ones by key, because comparing each with each takes quadratic time. */
function union(current: Value | undefined, added: readonly Value[]): Value {
  const values = [...elementsOf(current)];
  const keys = new Set(values.map(equalityKey));
  for (const each of added) {
    const key = equalityKey(each);
    if (!keys.has(key)) values.push(each);
    keys.add(key);
  }
  return { kind: 'array', values };
}

function remove(current: Value | undefined, removed: readonly Value[]): Value {
  const keys = new Set(removed.map(equalityKey));
  const values = elementsOf(current).filter((each) => !keys.has(equalityKey(each)));
  return { kind: 'array', values };
}
