import type { Library } from '../library/services.ts';
import type { RuleValue } from '../rule-value.ts';
import type { Position } from '../rules-error.ts';
import type { Run } from '../run.ts';

/** An expression is evaluated for a request, the wildcards of its match and its own variables. */
export interface Frame {
  readonly run: Run;
  /** Undefined: the query does not tell. */
  readonly captures: readonly (RuleValue | undefined)[];
  readonly locals: readonly RuleValue[];
}

export type Evaluate = (frame: Frame) => RuleValue;

export interface CompiledFunction {
  readonly name: string;
  readonly at: Position;
  readonly arity: number;
  readonly calls: readonly FunctionCall[];
  /** Its variables, then its result. */
  readonly steps: readonly Evaluate[];
}

/** A call of a function of the file, which may be declared further down. */
export interface FunctionCall {
  readonly name: string;
  readonly at: Position;
  readonly count: number;
  /** The functions of its block, then those of the blocks around it. */
  readonly visible: readonly ReadonlyMap<string, CompiledFunction>[];
  /** Undefined until the whole file is read. */
  callee: CompiledFunction | undefined;
}

/**
 * The meaning of names at a place of the file. Wildcards are numbered along the path of nested matches, so a function
 * sees those of its own match under the same numbers wherever it is called from.
 */
export interface Scope {
  readonly library: Library;
  readonly captures: readonly string[];
  readonly locals: readonly string[];
  readonly visible: FunctionCall['visible'];
  /** Collects the calls. */
  readonly calls: FunctionCall[];
}
