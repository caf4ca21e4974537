import { EvaluationError, UnknownError } from './evaluation-error.ts';
import {
  bool,
  double,
  duration,
  expectKind,
  int,
  text,
  timestampFromNanos,
  timestampToNanos,
  typeName,
  type IntegerValue,
  type RuleValue,
} from './rule-value.ts';
import type { BinaryOperator } from './parse/syntax.ts';
import { areEqual, includes } from './value-equality.ts';

export function applyBinary(
  operator: BinaryOperator,
  left: RuleValue,
  right: RuleValue,
): RuleValue {
  switch (operator) {
    case '==':
      return bool(areEqual(left, right));
    case '!=':
      return bool(!areEqual(left, right));
    case 'in':
      return bool(isIn(left, right));
    case '<':
      return bool(compare(left, right) < 0);
    case '<=':
      return bool(compare(left, right) <= 0);
    case '>':
      return bool(compare(left, right) > 0);
    case '>=':
      return bool(compare(left, right) >= 0);
    default:
      return calculate(operator, left, right);
  }
}

function isIn(value: RuleValue, container: RuleValue): boolean {
  switch (container.kind) {
    case 'array':
    case 'set':
      return includes(container.values, value);
    case 'map':
      return container.fields.has(expectKind(value, 'string').value);
    case 'partial-map':
      if (container.known.has(expectKind(value, 'string').value)) return true;
      throw new UnknownError('in the map');
    case 'partial-list':
      if (includes(container.contains, value)) return true;
      throw new UnknownError('in the list');
    default:
      throw new EvaluationError(`A value of type ${typeName(container)} contains nothing.`);
  }
}

/** NaN is neither less nor more than anything, so its comparison is NaN. */
function compare(left: RuleValue, right: RuleValue): number {
  if (isNumeric(left) && isNumeric(right)) {
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

type Numeric = IntegerValue | { readonly kind: 'double'; readonly value: number };
type Arithmetic = '+' | '-' | '*' | '/' | '%';

const isNumeric = (value: RuleValue): value is Numeric =>
  value.kind === 'integer' || value.kind === 'double';

const unsuited = (what: string, left: RuleValue, right: RuleValue) =>
  new EvaluationError(`Values of type ${typeName(left)} and ${typeName(right)} cannot be ${what}.`);

function calculate(operator: Arithmetic, left: RuleValue, right: RuleValue): RuleValue {
  if (left.kind === 'integer' && right.kind === 'integer') {
    return int(calculateIntegers(operator, left.value, right.value));
  }
  if (isNumeric(left) && isNumeric(right)) {
    return double(calculateFloats(operator, Number(left.value), Number(right.value)));
  }
  if (operator === '+' && left.kind === 'string' && right.kind === 'string') {
    return text(left.value + right.value);
  }
  const result = calculateTimes(operator, left, right);
  if (result === undefined) throw unsuited(`joined by ${operator}`, left, right);
  return result;
}

function calculateIntegers(operator: Arithmetic, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      if (right === 0n) throw new EvaluationError('An integer is divided by zero.');
      return operator === '/' ? left / right : left % right;
  }
}

function calculateFloats(operator: Arithmetic, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return left % right;
  }
}

function calculateTimes(
  operator: Arithmetic,
  left: RuleValue,
  right: RuleValue,
): RuleValue | undefined {
  if (operator !== '+' && operator !== '-') return undefined;
  const sign = operator === '+' ? 1n : -1n;
  if (left.kind === 'duration' && right.kind === 'duration') {
    return duration(left.nanos + sign * right.nanos);
  }
  if (left.kind === 'timestamp' && right.kind === 'duration') {
    return timestampFromNanos(timestampToNanos(left) + sign * right.nanos);
  }
  if (left.kind === 'duration' && right.kind === 'timestamp' && operator === '+') {
    return timestampFromNanos(left.nanos + timestampToNanos(right));
  }
  if (left.kind === 'timestamp' && right.kind === 'timestamp' && operator === '-') {
    return duration(timestampToNanos(left) - timestampToNanos(right));
  }
  return undefined;
}

export function negate(value: RuleValue): RuleValue {
  if (value.kind === 'double') return double(-value.value);
  if (value.kind === 'duration') return duration(-value.nanos);
  return int(-expectKind(value, 'integer').value);
}
