import { RulesError, type Position } from '../rules-error.ts';

type TokenKind = 'name' | 'number' | 'string' | 'mark' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The text in the file; for a string its value. */
  readonly text: string;
  /** Its offset in the file. */
  readonly at: number;
  readonly source: string;
}

/** @throws {RulesError} always. */
type Fail = (at: number, sentence: string) => never;

/** The reserved words, which cannot be declared as names. */
export const reservedWords: ReadonlySet<string> = new Set(
  'true false null in is if let return function match allow service request resource'.split(' '),
);

const blanksPattern = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const tokenPattern = new RegExp(
  [
    /(?<quoted>(["'])(?:\\[^\n]|(?!\2)[^\\\n])*\2)/,
    /(?<name>[A-Za-z_]\w*)/,
    /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w))/,
    /(?<mark>&&|\|\||[=!<>]=|\$\(|[-+*/%<>=!?:;,.()[\]{}])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);

const slashPattern = /\//y;
const textPattern = /[\w.~%@+-]+|\([\w-]+\)/y;

export type Scanner = ReturnType<typeof createScanner>;

/** Scans tokens on demand, because only the parser knows whether `/` begins a path or divides. */
export function createScanner(file: string, source: string) {
  let place = 0;
  let next: Token | null = null;

  const positionOf = (offset: number): Position => {
    const lines = source.slice(0, offset).split('\n');
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  };
  const fail: Fail = (at, sentence) => {
    throw new RulesError(file, positionOf(at), sentence);
  };
  const read = (pattern: RegExp, offset: number) => {
    pattern.lastIndex = offset;
    return pattern.exec(source);
  };

  const scan = (): Token => {
    const at = place + (read(blanksPattern, place)?.[0] ?? '').length;
    const rest = source.slice(at, at + 2);
    if (rest === '') return { kind: 'end', text: 'the end of the file', at, source: '' };
    if (rest === '/*') return fail(at, 'A comment is not closed.');
    const found = read(tokenPattern, at);
    if (found === null) return fail(at, describe(source, at));
    const { quoted, name, number } = found.groups ?? {};
    const [all] = found;
    if (quoted === undefined) {
      const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'mark';
      return { kind, text: all, at, source: all };
    }
    const value = unescape(quoted.slice(1, -1), (index) => fail(at + 1 + index, unknownEscape));
    return { kind: 'string', text: value, at, source: all };
  };

  const peek = () => (next ??= scan());
  const take = () => {
    const token = peek();
    place = token.at + token.source.length;
    next = null;
    return token;
  };
  /** Reads the text right after the last taken token, without skipping blanks. The pattern must be sticky. */
  const raw = (pattern: RegExp): string | null => {
    const match = read(pattern, place);
    if (match === null) return null;
    place += match[0].length;
    next = null;
    return match[0];
  };
  /** Whether a keyword or mark comes next. */
  const is = (text: string) => {
    const token = peek();
    return token.text === text && (token.kind === 'name' || token.kind === 'mark');
  };
  const accept = (text: string) => (is(text) ? take() : null);
  const expect = (text: string) =>
    is(text) ? take() : fail(peek().at, `"${text}" is missing before ${shown(peek())}.`);
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
    positionOf,
    expectName,
    accept,
    expect,
    /** Takes a name that is no reserved word. */
    expectNewName: (what: string) => {
      const { at, text } = peek();
      const token = expectName(what);
      return reservedWords.has(text)
        ? fail(at, `"${text}" is a word of the language and names nothing else.`)
        : token;
    },
    /** Takes items up to the closing mark; a trailing comma is allowed. */
    items(closing: string, takeItem: () => void) {
      while (!is(closing)) {
        takeItem();
        if (accept(',') === null) break;
      }
      expect(closing);
    },
    /**
     * Takes the segments of a path after its first slash, without blanks between them: texts, and what follows an opening
     * mark.
     */
    segments(opening: RegExp, onText: (text: string) => void, takeRest: () => void) {
      do {
        const text = raw(textPattern);
        if (text !== null) onText(text);
        else if (raw(opening) !== null) takeRest();
        else fail(place, 'A segment of a path is missing.');
      } while (raw(slashPattern) !== null);
    },
  };
}

const unknownEscape = 'This escape is unknown: write \\\\ for a backslash.';

export const shown = ({ kind, text }: Token): string =>
  kind === 'string' ? 'a string' : kind === 'end' ? text : `"${text}"`;

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

/** Matches escapes and the text between them; its groups are the numeric escapes. */
const escapes = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|[^])|[^\\]+/g;

function unescape(content: string, onUnknown: (index: number) => never): string {
  let value = '';
  for (const { 0: part, 1: byte, 2: unit, index } of content.matchAll(escapes)) {
    const number = byte ?? unit;
    if (number !== undefined) value += String.fromCharCode(Number.parseInt(number, 16));
    else if (!part.startsWith('\\')) value += part;
    else value += charactersByEscape.get(part) ?? onUnknown(index);
  }
  return value;
}
