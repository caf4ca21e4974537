import { RE2JS } from 're2js';
import { EvaluationError } from '../evaluation-error.ts';

// Patterns can come from documents, so the cache and a pattern are limited.
const maxCached = 200;
const maxPatternCharacters = 2000;
/** The limit of compiled instructions; a repetition such as `{1000}` multiplies them. */
const maxInstructions = 10_000;

const cache = new Map<string, RE2JS>();

/** Compiles a pattern with RE2, as hosted rules do: no pattern takes more than linear time. */
export function compileRegularExpression(pattern: string): RE2JS {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compile(pattern);
  if (cache.size >= maxCached) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS {
  if (pattern.length <= maxPatternCharacters) {
    const expression = parse(pattern);
    if (expression.programSize() <= maxInstructions) return expression;
  }
  throw new EvaluationError('A regular expression is too long.');
}

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new EvaluationError('A regular expression is malformed.');
  }
}
