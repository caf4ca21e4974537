import type { Library } from './builtins/builtins.ts';
import type { RuleValue } from './rule-value.ts';
import type { Position } from './rules-error.ts';
import type { Run } from './run.ts';

/** Where an expression is evaluated: the request, the wildcards of its match and its own variables. */
export interface Frame {
  readonly run: Run;
  /** Undefined: the query does not tell. */
  readonly captures: readonly (RuleValue | undefined)[];
  readonly locals: readonly RuleValue[];
}

export type Evaluate = (frame: Frame) => RuleValue;

export interface CompiledFunction {
  readonly arity: number;
  /** How many calls deep it goes, itself included. */
  readonly height: number;
  readonly call: (frame: Frame, args: readonly RuleValue[]) => RuleValue;
}

/**
 * What names mean at a place of the file. Wildcards are numbered along the path of nested matches, so a function sees
 * those of its own match under the same numbers wherever it is called from.
 */
export interface Scope {
  readonly library: Library;
  readonly captures: ReadonlyMap<string, number>;
  readonly locals: ReadonlyMap<string, number>;
  /** The function of the file that a call names, null if there is none; throws a RulesError for recursion. */
  readonly resolve: (name: string, at: Position) => CompiledFunction | null;
  readonly isFunction: (name: string) => boolean;
  /** Told the height of each function of the file that is called. */
  readonly onCall: (height: number) => void;
  readonly fail: (at: Position, sentence: string) => never;
}

/** A variable hides a namespace of the same name. */
export const isNamespace = (name: string, scope: Scope): boolean =>
  scope.library.namespaces.has(name) && !scope.locals.has(name) && !scope.captures.has(name);
