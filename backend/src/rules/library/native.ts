import type { RuleValue } from '../rule-value.ts';
import type { Run } from '../run.ts';

/** A built-in function or method; the first argument of a method is the value that it is called on. */
export interface Native {
  readonly arity: number;
  /** Calls it; it may modify the list of arguments. */
  readonly call: (args: RuleValue[], run: Run) => RuleValue;
}

export type Natives = Readonly<Record<string, Native>>;
