import type { ExpressionParser } from './expression-parser.ts';
import { shown } from './scanner.ts';
import type { Expression, PathExpression } from './syntax.ts';

export function parseList(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const { at } = scanner.expect('[');
  const items: Expression[] = [];
  while (!scanner.is(']')) {
    items.push(parser.expression());
    if (scanner.accept(',') === null) break;
  }
  scanner.expect(']');
  return { kind: 'list', at, items };
}

export function parseMap(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const { at } = scanner.expect('{');
  const entries: { key: string; value: Expression }[] = [];
  const keys = new Set<string>();
  while (!scanner.is('}')) {
    const token = scanner.peek();
    if (token.kind !== 'string') {
      scanner.fail(token.at, `A key of a map must be a string, not ${shown(token)}.`);
    }
    const { text: key } = scanner.take();
    if (keys.has(key)) scanner.fail(token.at, `The key "${key}" is in the map already.`);
    keys.add(key);
    scanner.expect(':');
    entries.push({ key, value: parser.expression() });
    if (scanner.accept(',') === null) break;
  }
  scanner.expect('}');
  return { kind: 'map', at, entries };
}

const SEGMENT = /[\w.~%@+-]+|\([\w-]+\)|\{\w+\}/y;
const OPENING = /\$\(/y;
const SLASH = /\//y;

/** `/databases/$(database)/documents/pets/rex`: its segments follow one another without blanks. */
export function parsePath(parser: ExpressionParser): PathExpression {
  const { scanner } = parser;
  const { at } = scanner.expect('/');
  const segments: (string | Expression)[] = [];
  do {
    const literal = scanner.raw(SEGMENT);
    if (literal !== null) segments.push(literal[0]);
    else if (scanner.raw(OPENING) !== null) {
      segments.push(parser.expression());
      scanner.expect(')');
    } else scanner.fail(scanner.here(), 'A segment of a path is missing.');
  } while (scanner.raw(SLASH) !== null);
  return { kind: 'path', at, segments };
}
