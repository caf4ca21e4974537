import { newName } from './parse-name.ts';
import type { Scanner } from './scanner.ts';
import type { PatternSegment } from './syntax.ts';

const SLASH = /\s*\//y;
const NEXT_SLASH = /\//y;
const OPENING = /\{/y;
const TEXT = /[\w.~%@+-]+|\([\w-]+\)/y;

/** The path of a match: texts, `{one}` segment, `{any=**}` number of segments. */
export function parsePattern(scanner: Scanner): readonly PatternSegment[] {
  const segments: PatternSegment[] = [];
  if (scanner.raw(SLASH) === null)
    scanner.fail(scanner.peek().at, 'The path of the match is missing.');
  do {
    const literal = scanner.raw(TEXT);
    if (literal !== null) segments.push({ kind: 'text', text: literal[0] });
    else if (scanner.raw(OPENING) !== null) segments.push(parseWildcard(scanner, segments));
    else scanner.fail(scanner.here(), 'A segment of a path is missing.');
  } while (scanner.raw(NEXT_SLASH) !== null);
  return segments;
}

function parseWildcard(scanner: Scanner, before: readonly PatternSegment[]): PatternSegment {
  const { text: name, at } = newName(scanner, 'The name of the wildcard');
  const isRecursive = scanner.accept('=') !== null;
  if (isRecursive) {
    if (before.some(({ kind }) => kind === 'many')) {
      scanner.fail(at, 'A match has one recursive wildcard at most.');
    }
    scanner.expect('*');
    scanner.expect('*');
  }
  scanner.expect('}');
  return { kind: isRecursive ? 'many' : 'one', name, at };
}
