import { EvaluationError, LimitError } from './evaluation-error.ts';
import { matchPath, type Capture, type SubjectPath } from './match-path.ts';
import { expectBool, path, text, type RuleValue } from './rule-value.ts';
import type { Position } from './rules-error.ts';
import { createRun, type AccessBudget, type DocumentReader, type Run } from './run.ts';
import type { Evaluate } from './scope.ts';
import type { Method, PatternSegment } from './parse/syntax.ts';

/** Where an `allow` stands and the methods it names. */
export interface AllowLine extends Position {
  readonly words: readonly string[];
}

export interface RulesRequest {
  readonly method: Method;
  /** The whole path, as `match` sees it; null for a segment that a query leaves open. */
  readonly path: SubjectPath;
  /** The values of the variables `request` and `resource`. */
  readonly request: RuleValue;
  readonly resource: RuleValue;
  readonly documents: DocumentReader;
  readonly budget: AccessBudget;
}

/** An allow that said no because its condition could not be evaluated. */
export interface Failure extends Position {
  readonly sentence: string;
}

export interface Verdict {
  readonly isAllowed: boolean;
  /** The allow that let the request pass. */
  readonly allowedBy: AllowLine | null;
  readonly failures: readonly Failure[];
}

/**
 * - A request is allowed if one allow, of any match for its path, names its method and its condition is true.
 * - A condition that cannot be evaluated denies that allow alone; a limit denies the request.
 */
export interface Ruleset {
  /** Every allow of the file, in its order. */
  readonly allowLines: readonly AllowLine[];
  /** The number of segments of the longest path of a match. */
  readonly longestPattern: number;
  judge(request: RulesRequest): Verdict;
}

export interface CompiledMatch {
  readonly pattern: readonly PatternSegment[];
  readonly allows: readonly CompiledAllow[];
}

interface CompiledAllow {
  readonly line: AllowLine;
  readonly methods: ReadonlySet<Method>;
  readonly condition: Evaluate;
}

export function createRuleset(matches: readonly CompiledMatch[]): Ruleset {
  return {
    allowLines: matches
      .flatMap(({ allows }) => allows.map(({ line }) => line))
      .toSorted((a, b) => a.line - b.line || a.column - b.column),
    longestPattern: Math.max(0, ...matches.map(({ pattern }) => pattern.length)),
    judge(request) {
      const run = createRun(request);
      const failures: Failure[] = [];
      for (const { allows, captures } of matching(matches, request)) {
        for (const { line, condition } of allows) {
          const outcome = holds(condition, captures, run);
          if (outcome === true) return { isAllowed: true, allowedBy: line, failures };
          if (outcome === false) continue;
          const { line: row, column } = line;
          failures.push({ line: row, column, sentence: outcome.message });
          if (outcome instanceof LimitError) return { isAllowed: false, allowedBy: null, failures };
        }
      }
      return { isAllowed: false, allowedBy: null, failures };
    },
  };
}

function* matching(matches: readonly CompiledMatch[], { path: subject, method }: RulesRequest) {
  for (const match of matches) {
    const allows = match.allows.filter(({ methods }) => methods.has(method));
    if (allows.length === 0) continue;
    const captures = matchPath(match.pattern, subject);
    if (captures !== null) yield { allows, captures: captures.map(toValue) };
  }
}

function toValue(capture: Capture): RuleValue | undefined {
  if (capture === undefined) return undefined;
  return typeof capture === 'string' ? text(capture) : path(capture);
}

function holds(
  condition: Evaluate,
  captures: readonly (RuleValue | undefined)[],
  run: Run,
): boolean | EvaluationError | LimitError {
  try {
    return expectBool(condition({ run, captures, locals: [] }));
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof LimitError) return error;
    throw error;
  }
}
