import { EvaluationError } from '../evaluation-error.ts';
import type { Arguments } from '../methods/method.ts';
import {
  bool,
  double,
  expectKind,
  int,
  path,
  text,
  typeName,
  type RuleValue,
} from '../rule-value.ts';
import type { Builtins } from './builtin.ts';

const unconvertible = (value: RuleValue, type: string) =>
  new EvaluationError(`This value of type ${typeName(value)} cannot become ${type}.`);

function toInt(args: Arguments): RuleValue {
  const value = args.at(0);
  if (value.kind === 'integer') return value;
  if (value.kind === 'double') return int(Math.trunc(value.value));
  if (value.kind === 'string' && /^[+-]?\d{1,19}$/.test(value.value)) {
    return int(BigInt(value.value.replace('+', '')));
  }
  throw unconvertible(value, 'int');
}

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function toFloat(args: Arguments): RuleValue {
  const value = args.at(0);
  if (value.kind === 'double') return value;
  if (value.kind === 'integer') return double(Number(value.value));
  if (value.kind === 'string' && FLOAT.test(value.value)) return double(Number(value.value));
  throw unconvertible(value, 'float');
}

function toText(args: Arguments): RuleValue {
  const value = args.at(0);
  switch (value.kind) {
    case 'string':
      return value;
    case 'null':
      return text('null');
    case 'boolean':
    case 'integer':
      return text(String(value.value));
    case 'double':
      return text(Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value));
    default:
      throw unconvertible(value, 'string');
  }
}

function toBool(args: Arguments): RuleValue {
  const value = args.at(0);
  if (value.kind === 'boolean') return value;
  if (value.kind === 'string' && /^(true|false)$/i.test(value.value)) {
    return bool(value.value.toLowerCase() === 'true');
  }
  throw unconvertible(value, 'bool');
}

function toPath(args: Arguments): RuleValue {
  const value = args.at(0);
  if (value.kind === 'path') return value;
  const segments = expectKind(value, 'string').value.split('/');
  return path(segments[0] === '' ? segments.slice(1) : segments);
}

export const CONVERSIONS: Builtins = {
  int: { arity: 1, call: toInt },
  float: { arity: 1, call: toFloat },
  string: { arity: 1, call: toText },
  bool: { arity: 1, call: toBool },
  path: { arity: 1, call: toPath },
  debug: { arity: 1, call: (args) => args.at(0) },
};
