import { EvaluationError } from '../evaluation-error.ts';
import type { Arguments } from '../methods/method.ts';
import { bool, double, int, typeName, type RuleValue } from '../rule-value.ts';
import type { Builtins } from './builtin.ts';

export function numberAt(args: Arguments, index: number): number {
  const value = args.at(index);
  if (value.kind === 'integer' || value.kind === 'double') return Number(value.value);
  throw new EvaluationError(`A value of type number is needed, not ${typeName(value)}.`);
}

/** An integer is whole already, and may be more than a float can hold. */
const rounding = (round: (value: number) => number) => (args: Arguments) => {
  const value = args.at(0);
  return value.kind === 'integer' ? value : int(round(numberAt(args, 0)));
};

function absolute(args: Arguments): RuleValue {
  const value = args.at(0);
  if (value.kind !== 'integer') return double(Math.abs(numberAt(args, 0)));
  return int(value.value < 0n ? -value.value : value.value);
}

export const MATH_FUNCTIONS: Builtins = {
  abs: { arity: 1, call: absolute },
  ceil: { arity: 1, call: rounding(Math.ceil) },
  floor: { arity: 1, call: rounding(Math.floor) },
  round: { arity: 1, call: rounding(Math.round) },
  isInfinite: { arity: 1, call: (args) => bool(Math.abs(numberAt(args, 0)) === Infinity) },
  isNaN: { arity: 1, call: (args) => bool(Number.isNaN(numberAt(args, 0))) },
  pow: { arity: 2, call: (args) => double(numberAt(args, 0) ** numberAt(args, 1)) },
  sqrt: { arity: 1, call: (args) => double(Math.sqrt(numberAt(args, 0))) },
};
