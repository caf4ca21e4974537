import { EvaluationError } from '../evaluation-error.ts';
import type { Kind, OfKind, RuleValue } from '../rule-value.ts';

/** A method of one type: how many arguments it takes, and what it answers. */
export interface MethodOf<K extends Kind> {
  readonly arity: readonly [min: number, max: number];
  readonly call: (self: OfKind<K>, args: Arguments) => RuleValue;
}

/** The loader has checked the number, so one that is missing is a fault of this code. */
export interface Arguments {
  readonly count: number;
  at(index: number): RuleValue;
}

export type MethodsOf<K extends Kind> = Readonly<Record<string, MethodOf<K>>>;

export function toArguments(values: readonly RuleValue[]): Arguments {
  return {
    count: values.length,
    at(index) {
      const value = values[index];
      if (value === undefined) throw new EvaluationError('An argument is missing.');
      return value;
    },
  };
}

export const none = [0, 0] as const;
export const one = [1, 1] as const;
export const two = [2, 2] as const;
