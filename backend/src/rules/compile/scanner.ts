import { failIn, type Fail, type Position } from '../rules-error.ts';

type TokenKind = 'name' | 'number' | 'string' | 'bytes' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The text in the file; for a string its value, for bytes their base64. */
  readonly text: string;
  readonly at: Place;
  readonly source: string;
}

interface Place extends Position {
  readonly offset: number;
}

export interface Scanner {
  peek(): Token;
  take(): Token;
  /** Whether a keyword or mark comes next. */
  is(text: string): boolean;
  accept(text: string): Token | null;
  expect(text: string): Token;
  expectName(what: string): Token;
  /** Takes a name that is no reserved word. */
  expectNewName(what: string): Token;
  /** Reads the text right after the last taken token, without skipping blanks. The pattern must be sticky. */
  raw(pattern: RegExp): string | null;
  here(): Position;
  readonly fail: Fail;
}

/** The reserved words, which cannot be declared as names. */
export const reservedWords: ReadonlySet<string> = new Set(
  'true false null in is if let return function match allow service request resource'.split(' '),
);

const blanksPattern = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const tokenPattern = new RegExp(
  [
    /(?<quoted>b?(["'])(?:\\[^\n]|(?!\2)[^\\\n])*\2)/,
    /(?<name>[A-Za-z_]\w*)/,
    /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w))/,
    /(?<mark>&&|\|\||[=!<>]=|\$\(|[-+*/%<>=!?:;,.()[\]{}])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);

/** Scans tokens on demand, because only the parser knows whether `/` begins a path or divides. */
export function createScanner(file: string, source: string): Scanner {
  let place: Place = { line: 1, column: 1, offset: 0 };
  let next: Token | null = null;

  const fail: Fail = failIn(file);
  const read = (pattern: RegExp, { offset }: Place) => {
    pattern.lastIndex = offset;
    return pattern.exec(source);
  };

  const scan = (): Token => {
    const at = advance(place, read(blanksPattern, place)?.[0] ?? '');
    const rest = source.slice(at.offset, at.offset + 2);
    if (rest === '') return { kind: 'end', text: 'the end of the file', at, source: '' };
    if (rest === '/*') return fail(at, 'A comment is not closed.');
    const found = read(tokenPattern, at);
    if (found === null) return fail(at, describe(source, at.offset));
    const { quoted, name, number } = found.groups ?? {};
    const [all] = found;
    if (quoted === undefined) {
      const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'mark';
      return { kind, text: all, at, source: all };
    }
    const isBytes = quoted.startsWith('b');
    const start = isBytes ? 2 : 1;
    const value = unescape(quoted.slice(start, -1), isBytes ? bytesEscapes : textEscapes, (index) =>
      fail(advance(at, all.slice(0, start + index)), unknownEscape),
    );
    return isBytes
      ? { kind: 'bytes', text: Buffer.from(value, 'latin1').toString('base64'), at, source: all }
      : { kind: 'string', text: value, at, source: all };
  };

  const peek = () => (next ??= scan());
  const take = () => {
    const token = peek();
    place = advance(token.at, token.source);
    next = null;
    return token;
  };
  const is = (text: string) => {
    const token = peek();
    return token.text === text && (token.kind === 'name' || token.kind === 'mark');
  };
  const expectName = (what: string) => {
    const token = peek();
    return token.kind === 'name'
      ? take()
      : fail(token.at, `${what} is missing before ${shown(token)}.`);
  };
  return {
    peek,
    take,
    is,
    fail,
    expectName,
    accept: (text) => (is(text) ? take() : null),
    expect: (text) =>
      is(text) ? take() : fail(peek().at, `"${text}" is missing before ${shown(peek())}.`),
    expectNewName(what) {
      const { at, text } = peek();
      const token = expectName(what);
      return reservedWords.has(text)
        ? fail(at, `"${text}" is a word of the language and names nothing else.`)
        : token;
    },
    raw(pattern) {
      const match = read(pattern, place);
      if (match === null) return null;
      place = advance(place, match[0]);
      next = null;
      return match[0];
    },
    here: () => place,
  };
}

function advance({ line, column, offset }: Place, text: string): Place {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  return {
    line: line + lines.length - 1,
    column: (lines.length === 1 ? column : 1) + last.length,
    offset: offset + text.length,
  };
}

const unknownEscape = 'This escape is unknown: write \\\\ for a backslash.';

const shownByKind: Partial<Record<TokenKind, string>> = {
  string: 'a string',
  bytes: 'a byte literal',
};

export const shown = ({ kind, text }: Token): string =>
  shownByKind[kind] ?? (kind === 'end' ? text : `"${text}"`);

function describe(source: string, offset: number): string {
  const character = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  if (/["']/.test(character)) return 'A string is not closed on its line.';
  return `${/\d/.test(character) ? 'This number' : `"${character}"`} is not part of the language.`;
}

const charactersByEscape: ReadonlyMap<string, string> = new Map([
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\\\', '\\'],
  ['\\"', '"'],
  ["\\'", "'"],
]);

interface Notation {
  /** Matches escapes and the text between them; its groups are the two numeric escapes. */
  readonly parts: RegExp;
  readonly secondRadix: number;
  readonly encode: (text: string) => string;
}

const textEscapes: Notation = {
  parts: /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|[^])|[^\\]+/g,
  secondRadix: 16,
  encode: (text) => text,
};

/** The escapes of bytes. Characters are encoded in UTF-8; one character of the result is one byte. */
const bytesEscapes: Notation = {
  parts: /\\(?:x([\da-fA-F]{2})|([0-3][0-7]{2})|[^])|[^\\]+/g,
  secondRadix: 8,
  encode: (text) => Buffer.from(text).toString('latin1'),
};

function unescape(
  content: string,
  { parts, secondRadix, encode }: Notation,
  onUnknown: (index: number) => never,
): string {
  let value = '';
  for (const { 0: part, 1: first, 2: second, index } of content.matchAll(parts)) {
    if (first !== undefined) value += String.fromCharCode(Number.parseInt(first, 16));
    else if (second !== undefined)
      value += String.fromCharCode(Number.parseInt(second, secondRadix));
    else
      value += part.startsWith('\\')
        ? (charactersByEscape.get(part) ?? onUnknown(index))
        : encode(part);
  }
  return value;
}
