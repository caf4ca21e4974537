import { path, text, type RuleValue } from './rule-value.ts';

/**
 * A path of known segments and unknown ones (null), which the documents of a query can have.
 *
 * - An unknown segment matches wildcards only, so a match holds for every possible value.
 * - An empty segment, as in the name `a//b` of a file, is matched by `{x=**}` alone.
 * - `{x=**}` matches zero or more segments, anywhere in the pattern; several of them match as few as possible each.
 */
export type SubjectPath = readonly (string | null)[];

export type PatternSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' | 'many' };

/** Returns the values of the wildcards in the order of the pattern, undefined if unknown; null when there is no match. */
export function matchPath(
  pattern: readonly PatternSegment[],
  subject: SubjectPath,
): readonly (RuleValue | undefined)[] | null {
  const starts = findStarts(pattern, subject);
  if (starts === null) return null;
  return pattern.flatMap(({ kind }, at) => {
    if (kind === 'text') return [];
    const taken = subject.slice(starts[at], starts[at + 1]);
    const known = taken.filter((each) => each !== null);
    if (known.length < taken.length) return [undefined];
    return [kind === 'many' ? path(known) : text(known[0] ?? '')];
  });
}

/**
 * Returns the start of each segment of the pattern in the subject. When one does not match, only the last `{x=**}` takes
 * one segment more, since it can take any that an earlier one would. The time is thus linear in each of the two.
 */
function findStarts(
  pattern: readonly PatternSegment[],
  subject: SubjectPath,
): readonly number[] | null {
  const starts: number[] = [];
  let [at, index] = [0, 0];
  let many: { readonly at: number; end: number } | null = null;
  while (index < subject.length || at < pattern.length) {
    const segment = pattern[at];
    starts[at] = index;
    if (segment?.kind === 'many') {
      many = { at, end: index };
      at += 1;
    } else if (segment !== undefined && fits(segment, subject[index])) {
      at += 1;
      index += 1;
    } else if (many !== null && many.end < subject.length) {
      many.end += 1;
      index = many.end;
      at = many.at + 1;
    } else return null;
  }
  starts[at] = index;
  return starts;
}

const fits = (segment: PatternSegment, subject: string | null | undefined): boolean =>
  segment.kind === 'text' ? segment.text === subject : subject !== undefined && subject !== '';
