import { RE2JS } from 're2js';
import { EvaluationError } from '../evaluation-error.ts';

/** RE2, as hosted rules have it: no pattern takes more than linear time. */
const MAX_CACHED = 200;
const cache = new Map<string, RE2JS>();

export function compileRegularExpression(pattern: string): RE2JS {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = compile(pattern);
  // Patterns can come from documents, so the cache must not grow with them.
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new EvaluationError('A regular expression is malformed.');
  }
}
