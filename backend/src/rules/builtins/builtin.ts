import type { Arguments } from '../methods/method.ts';
import type { RuleValue } from '../rule-value.ts';
import type { Run } from '../run.ts';

/** A function that comes with the language. */
export interface Builtin {
  readonly arity: number;
  readonly call: (args: Arguments, run: Run) => RuleValue;
}

export type Builtins = Readonly<Record<string, Builtin>>;
