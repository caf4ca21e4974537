import type { Library } from '../library/services.ts';
import type { RuleValue } from '../rule-value.ts';
import type { Position } from '../rules-error.ts';
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
  readonly name: string;
  readonly at: Position;
  readonly arity: number;
  readonly calls: readonly FunctionCall[];
  /** The expressions of its variables, then of its result. */
  readonly steps: readonly Evaluate[];
}

/** A call of a function of the file, which may be declared after the call. */
export interface FunctionCall {
  readonly name: string;
  readonly at: Position;
  readonly count: number;
  /** The functions of its block, then of the enclosing blocks. */
  readonly visible: readonly ReadonlyMap<string, CompiledFunction>[];
  /** The called function; undefined until the whole file is parsed. */
  callee: CompiledFunction | undefined;
}

/**
 * The names that are visible at a position of the file. Wildcards are numbered along the nested matches, so a function
 * finds those of its own match at the same numbers wherever it is called.
 */
export interface Scope {
  readonly library: Library;
  readonly captures: readonly string[];
  readonly locals: readonly string[];
  readonly visible: FunctionCall['visible'];
  readonly calls: FunctionCall[];
}
