import type { Evaluate } from './compile/scope.ts';
import { EvaluationError, LimitError } from './evaluation-error.ts';
import { matchPath, type PatternSegment, type SubjectPath } from './match-path.ts';
import { expectBool } from './rule-value.ts';
import type { Position } from './rules-error.ts';
import { createRun, type RunOptions } from './run.ts';

export type Method = 'get' | 'list' | 'create' | 'update' | 'delete';

/** The position of an `allow` and the methods that it names. */
export interface AllowLine extends Position {
  readonly words: readonly string[];
}

export interface RulesRequest extends RunOptions {
  readonly method: Method;
  /** The full path that `match` compares; null for a segment that a query leaves open. */
  readonly path: SubjectPath;
}

export interface CompiledMatch {
  readonly pattern: readonly PatternSegment[];
  readonly allows: readonly CompiledAllow[];
}

export interface CompiledAllow {
  readonly line: AllowLine;
  readonly methods: ReadonlySet<Method>;
  readonly condition: Evaluate;
}

export type Ruleset = ReturnType<typeof createRuleset>;
export type Verdict = ReturnType<Ruleset['authorize']>;

/**
 * - A request is allowed if an `allow` in any match for its path names its method and has a true condition.
 * - A condition that cannot be evaluated only disables its `allow`; reaching a limit denies the request.
 */
export function createRuleset(matches: readonly CompiledMatch[]) {
  return {
    /** Every `allow` of the file, in order. */
    allowLines: matches
      .flatMap(({ allows }) => allows.map(({ line }) => line))
      .toSorted((a, b) => a.line - b.line || a.column - b.column),
    /** The number of segments of the longest match path. */
    longestPattern: Math.max(0, ...matches.map(({ pattern }) => pattern.length)),
    authorize(request: RulesRequest) {
      const run = createRun(request);
      /** Where an `allow` denied because its condition could not be evaluated, and why. */
      const failures: (Position & { readonly sentence: string })[] = [];
      for (const { allow, captures } of allowsFor(matches, request)) {
        const { line, condition } = allow;
        try {
          if (expectBool(condition({ run, captures, locals: [] }))) {
            return { isAllowed: true, failures };
          }
        } catch (error) {
          const isLimit = error instanceof LimitError;
          if (!isLimit && !(error instanceof EvaluationError)) throw error;
          failures.push({ line: line.line, column: line.column, sentence: error.message });
          if (isLimit) break;
        }
      }
      return { isAllowed: false, failures };
    },
  };
}

function* allowsFor(matches: readonly CompiledMatch[], { path, method }: RulesRequest) {
  for (const { pattern, allows } of matches) {
    const asked = allows.filter(({ methods }) => methods.has(method));
    const captures = asked.length === 0 ? null : matchPath(pattern, path);
    if (captures !== null) for (const allow of asked) yield { allow, captures };
  }
}
