import type { Library } from '../library/services.ts';
import type { RuleValue } from '../rule-value.ts';
import type { Run } from '../run.ts';

/** The context of an evaluation: the request, the wildcards of the match and the local variables. */
export interface Frame {
  readonly run: Run;
  /** The values of the wildcards; undefined where the query leaves them open. */
  readonly captures: readonly (RuleValue | undefined)[];
  readonly locals: readonly RuleValue[];
}

export type Evaluate = (frame: Frame) => RuleValue;

export interface CompiledFunction {
  readonly arity: number;
  /** The longest chain of calls that it begins, itself included. */
  readonly height: number;
  /** The expressions of its variables, then of its result. */
  readonly steps: readonly Evaluate[];
}

/**
 * The names that are visible at a position of the file. Wildcards are numbered along the nested matches, so a function
 * finds those of its own match at the same numbers wherever it is called.
 */
export interface Scope {
  readonly library: Library;
  readonly captures: readonly string[];
  readonly locals: readonly string[];
  /** The functions declared so far in its block, then in the enclosing blocks. */
  readonly visible: readonly ReadonlyMap<string, CompiledFunction>[];
  /** The functions that are called so far. */
  readonly calls: CompiledFunction[];
}
