import type { PatternSegment } from './parse/syntax.ts';

/**
 * - A subject is a path of known segments and unknown ones (null): those of a query's documents.
 * - An unknown segment matches wildcards only, so a match holds for whatever it turns out to be.
 * - An empty segment, as in the name `a//b` of a file, is matched by `{x=**}` alone.
 * - `{x=**}` takes any number of segments, also none, anywhere in the pattern.
 */
export type SubjectPath = readonly (string | null)[];

/** What a wildcard stands for; undefined: unknown. */
export type Capture = string | readonly string[] | undefined;

/** The wildcards' values in the order of the pattern; null: no match. */
export function matchPath(
  pattern: readonly PatternSegment[],
  subject: SubjectPath,
): readonly Capture[] | null {
  const [first, ...rest] = pattern;
  if (first === undefined) return subject.length === 0 ? [] : null;
  if (first.kind === 'many') return matchMany(rest, subject);
  const segment = subject[0];
  if (segment === undefined || segment === '') return null;
  if (first.kind === 'text') {
    return segment === first.text ? matchPath(rest, subject.slice(1)) : null;
  }
  const others = matchPath(rest, subject.slice(1));
  return others === null ? null : [segment ?? undefined, ...others];
}

function matchMany(
  rest: readonly PatternSegment[],
  subject: SubjectPath,
): readonly Capture[] | null {
  for (let length = 0; length <= subject.length; length++) {
    const others = matchPath(rest, subject.slice(length));
    if (others === null) continue;
    const taken = subject.slice(0, length);
    const known = taken.filter((each) => each !== null);
    return [known.length === length ? known : undefined, ...others];
  }
  return null;
}
