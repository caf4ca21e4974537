import { scanBytes, scanString } from './scan-string.ts';
import { RulesError, type Position } from '../rules-error.ts';

/**
 * - Tokens are made on demand, because `/` begins a path or divides: only the parser knows.
 * - `raw` reads the text right behind the last token taken, without skipping blanks.
 */
type TokenKind = 'name' | 'integer' | 'float' | 'string' | 'bytes' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The text, what a string means, or bytes in base64. */
  readonly text: string;
  readonly at: Position;
  readonly end: number;
}

export interface Scanner {
  peek(): Token;
  take(): Token;
  /** Whether a keyword or mark comes next. */
  is(text: string): boolean;
  accept(text: string): Token | null;
  expect(text: string): Token;
  expectName(what: string): Token;
  /** The pattern must be sticky. */
  raw(pattern: RegExp): RegExpExecArray | null;
  here(): Position;
  fail(at: Position, sentence: string): never;
}

const BLANKS = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d+(?:(\.\d+)?([eE][+-]?\d+)?)(?![A-Za-z0-9_])/y;
const QUOTE = /(b?)["']/y;
const MARK = /&&|\|\||[=!<>]=|\$\(|[-+*/%<>=!?:;,.()[\]{}]/y;

export function createScanner(file: string, source: string): Scanner {
  const lineStarts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) {
    lineStarts.push(at + 1);
  }
  let offset = 0;
  let next: Token | null = null;

  const positionAt = (index: number) => toPosition(lineStarts, index);
  const fail = (at: Position, sentence: string): never => {
    throw new RulesError(file, at, sentence);
  };
  const read = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(source);
  };

  const scan = (): Token => {
    const start = offset + (read(BLANKS, offset)?.[0].length ?? 0);
    const at = positionAt(start);
    if (start >= source.length) return { kind: 'end', text: 'the end of the file', at, end: start };
    const token = (kind: TokenKind, text: string, length = text.length): Token => ({
      kind,
      text,
      at,
      end: start + length,
    });
    const quote = read(QUOTE, start);
    if (quote !== null) {
      const isBytes = quote[1] === 'b';
      const scanned = isBytes ? scanBytes(source, start + 1) : scanString(source, start);
      if (!scanned.ok) return fail(positionAt(scanned.offset), scanned.sentence);
      return token(isBytes ? 'bytes' : 'string', scanned.value, scanned.end - start);
    }
    const name = read(NAME, start);
    if (name !== null) return token('name', name[0]);
    const number = read(NUMBER, start);
    if (number !== null) {
      const isFloat = number[1] !== undefined || number[2] !== undefined;
      return token(isFloat ? 'float' : 'integer', number[0]);
    }
    if (source.startsWith('/*', start)) return fail(at, 'A comment is not closed.');
    const mark = read(MARK, start);
    if (mark !== null) return token('mark', mark[0]);
    return fail(at, `${describe(source, start)} is not part of the language.`);
  };

  const peek = () => (next ??= scan());
  const take = () => {
    const token = peek();
    offset = token.end;
    next = null;
    return token;
  };
  const is = (text: string) => {
    const token = peek();
    return token.text === text && (token.kind === 'name' || token.kind === 'mark');
  };
  const expect = (text: string) => {
    const { at } = peek();
    return is(text) ? take() : fail(at, `"${text}" is missing before ${shown(peek())}.`);
  };
  return {
    peek,
    take,
    is,
    fail,
    expect,
    accept: (text) => (is(text) ? take() : null),
    expectName(what) {
      const token = peek();
      return token.kind === 'name'
        ? take()
        : fail(token.at, `${what} is missing before ${shown(token)}.`);
    },
    raw(pattern) {
      const match = read(pattern, offset);
      if (match !== null) {
        offset += match[0].length;
        next = null;
      }
      return match;
    },
    here: () => positionAt(offset),
  };
}

const SHOWN: ReadonlyMap<TokenKind, string> = new Map([
  ['string', 'a string'],
  ['bytes', 'a byte literal'],
]);

export const shown = (token: Token): string =>
  SHOWN.get(token.kind) ?? (token.kind === 'end' ? token.text : `"${token.text}"`);

const describe = (source: string, at: number): string =>
  /\d/.test(source[at] ?? '')
    ? 'This number'
    : `"${String.fromCodePoint(source.codePointAt(at) ?? 0)}"`;

function toPosition(lineStarts: readonly number[], index: number): Position {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: index - (lineStarts[low] ?? 0) + 1 };
}
