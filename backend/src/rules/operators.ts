import { EvaluationError, UnknownError } from './evaluation-error.ts';
import {
  bool,
  double,
  duration,
  expectKind,
  int,
  isNumber,
  text,
  timestampFromNanos,
  timestampToNanos,
  typeName,
  type RuleValue,
} from './rule-value.ts';
import { areEqual, includes } from './value-equality.ts';

type Binary = (left: RuleValue, right: RuleValue) => RuleValue;

const unsuited = (what: string, left: RuleValue, right: RuleValue) =>
  new EvaluationError(`Values of type ${typeName(left)} and ${typeName(right)} cannot be ${what}.`);

function isIn(value: RuleValue, container: RuleValue): boolean {
  switch (container.kind) {
    case 'array':
    case 'set':
      return includes(container.values, value);
    case 'map':
      return container.fields.has(expectKind(value, 'string').value);
    case 'partial-map':
      if (container.known.has(expectKind(value, 'string').value)) return true;
      throw new UnknownError('what is in the map');
    case 'partial-list':
      if (includes(container.contains, value)) return true;
      throw new UnknownError('what is in the list');
    default:
      throw new EvaluationError(`A value of type ${typeName(container)} contains nothing.`);
  }
}

const comparison =
  (isWanted: (order: number) => boolean): Binary =>
  (left, right) =>
    bool(isWanted(compare(left, right)));

/** Compares two values. NaN is neither less nor greater than any value, so its comparison is NaN. */
function compare(left: RuleValue, right: RuleValue): number {
  if (isNumber(left) && isNumber(right)) {
    if (left.value < right.value) return -1;
    if (left.value > right.value) return 1;
    return left.value >= right.value ? 0 : NaN;
  }
  if (left.kind === 'string' && right.kind === 'string') {
    return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value));
  }
  if (left.kind === 'timestamp' && right.kind === 'timestamp') {
    return left.seconds - right.seconds || left.nanos - right.nanos;
  }
  if (left.kind === 'duration' && right.kind === 'duration') {
    return left.nanos === right.nanos ? 0 : left.nanos < right.nanos ? -1 : 1;
  }
  throw unsuited('compared', left, right);
}

interface Arithmetic {
  readonly integers: (left: bigint, right: bigint) => bigint;
  readonly floats: (left: number, right: number) => number;
  /** Handles other kinds; returns undefined for values that cannot be joined. */
  readonly others?: (left: RuleValue, right: RuleValue) => RuleValue | undefined;
}

const arithmetic =
  (sign: string, { integers, floats, others }: Arithmetic): Binary =>
  (left, right) => {
    if (left.kind === 'integer' && right.kind === 'integer') {
      return int(integers(left.value, right.value));
    }
    if (isNumber(left) && isNumber(right)) {
      return double(floats(Number(left.value), Number(right.value)));
    }
    const result = others?.(left, right);
    if (result === undefined) throw unsuited(`joined by ${sign}`, left, right);
    return result;
  };

function add(left: RuleValue, right: RuleValue): RuleValue | undefined {
  if (left.kind === 'string' && right.kind === 'string') return text(left.value + right.value);
  if (right.kind !== 'duration') {
    return right.kind === 'timestamp' && left.kind === 'duration' ? add(right, left) : undefined;
  }
  if (left.kind === 'duration') return duration(left.nanos + right.nanos);
  return left.kind === 'timestamp'
    ? timestampFromNanos(timestampToNanos(left) + right.nanos)
    : undefined;
}

function subtract(left: RuleValue, right: RuleValue): RuleValue | undefined {
  if (right.kind === 'duration') return add(left, duration(-right.nanos));
  return left.kind === 'timestamp' && right.kind === 'timestamp'
    ? duration(timestampToNanos(left) - timestampToNanos(right))
    : undefined;
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new EvaluationError('An integer is divided by zero.');
  return value;
}

/** The operators by sign, without `&&`, `||` and `is`, which do not take two values. */
export const binaryOperators: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['==', (left, right) => bool(areEqual(left, right))],
  ['!=', (left, right) => bool(!areEqual(left, right))],
  ['in', (left, right) => bool(isIn(left, right))],
  ['<', comparison((order) => order < 0)],
  ['<=', comparison((order) => order <= 0)],
  ['>', comparison((order) => order > 0)],
  ['>=', comparison((order) => order >= 0)],
  ['+', arithmetic('+', { integers: (a, b) => a + b, floats: (a, b) => a + b, others: add })],
  ['-', arithmetic('-', { integers: (a, b) => a - b, floats: (a, b) => a - b, others: subtract })],
  ['*', arithmetic('*', { integers: (a, b) => a * b, floats: (a, b) => a * b })],
  ['/', arithmetic('/', { integers: (a, b) => a / divisor(b), floats: (a, b) => a / b })],
  ['%', arithmetic('%', { integers: (a, b) => a % divisor(b), floats: (a, b) => a % b })],
]);

export function negate(value: RuleValue): RuleValue {
  if (value.kind === 'double') return double(-value.value);
  if (value.kind === 'duration') return duration(-value.nanos);
  return int(-expectKind(value, 'integer').value);
}
