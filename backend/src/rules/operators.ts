import { EvaluationError, UnknownError } from './evaluation-error.ts';
import {
  bool,
  double,
  expectKind,
  int,
  isNumber,
  text,
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
  throw unsuited('compared', left, right);
}

interface Arithmetic {
  readonly integers: (left: bigint, right: bigint) => bigint;
  readonly floats: (left: number, right: number) => number;
}

const arithmetic =
  (sign: string, { integers, floats }: Arithmetic): Binary =>
  (left, right) => {
    if (left.kind === 'integer' && right.kind === 'integer') {
      return int(integers(left.value, right.value));
    }
    if (isNumber(left) && isNumber(right)) {
      return double(floats(Number(left.value), Number(right.value)));
    }
    if (sign === '+' && left.kind === 'string' && right.kind === 'string') {
      return text(left.value + right.value);
    }
    throw unsuited(`joined by ${sign}`, left, right);
  };

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
  ['+', arithmetic('+', { integers: (a, b) => a + b, floats: (a, b) => a + b })],
  ['-', arithmetic('-', { integers: (a, b) => a - b, floats: (a, b) => a - b })],
  ['*', arithmetic('*', { integers: (a, b) => a * b, floats: (a, b) => a * b })],
  ['/', arithmetic('/', { integers: (a, b) => a / divisor(b), floats: (a, b) => a / b })],
  ['%', arithmetic('%', { integers: (a, b) => a % divisor(b), floats: (a, b) => a % b })],
]);

export function negate(value: RuleValue): RuleValue {
  if (value.kind === 'double') return double(-value.value);
  return int(-expectKind(value, 'integer').value);
}
