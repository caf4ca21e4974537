/** A literal in single or double quotes, from its opening quote on. */
type ScannedString =
  | { readonly ok: true; readonly value: string; readonly end: number }
  | { readonly ok: false; readonly offset: number; readonly sentence: string };

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
]);

interface Notation {
  /** Sticky; `read` gives what it stands for. */
  readonly code: RegExp;
  readonly read: (match: RegExpExecArray) => number;
  readonly encode: (character: string) => string;
}

const TEXT: Notation = {
  code: /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/y,
  read: ([, two, four]) => Number.parseInt(two ?? four ?? '', 16),
  encode: (character) => character,
};

/** One character of the value is one byte. */
const BYTES: Notation = {
  code: /\\(?:x([0-9a-fA-F]{2})|([0-3][0-7]{2}))/y,
  read: ([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16),
  encode: (character) => Buffer.from(character).toString('latin1'),
};

export const scanString = (source: string, start: number): ScannedString =>
  scanQuoted(source, start, TEXT);

/** A byte literal, from its opening quote on: characters are UTF-8, `\\x0F` and `\\017` are bytes. */
export function scanBytes(source: string, start: number): ScannedString {
  const scanned = scanQuoted(source, start, BYTES);
  if (!scanned.ok) return scanned;
  return { ...scanned, value: Buffer.from(scanned.value, 'latin1').toString('base64') };
}

function scanQuoted(
  source: string,
  start: number,
  { code, read, encode }: Notation,
): ScannedString {
  const quote = source[start];
  let value = '';
  let at = start + 1;
  while (at < source.length) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (character === quote) return { ok: true, value, end: at + 1 };
    if (character === '\n') break;
    if (character !== '\\') {
      value += encode(character);
      at += character.length;
      continue;
    }
    const escaped = ESCAPES.get(source[at + 1] ?? '');
    code.lastIndex = at;
    const match = code.exec(source);
    if (escaped === undefined && match === null) {
      return {
        ok: false,
        offset: at,
        sentence: 'This escape is unknown: write \\\\ for a backslash.',
      };
    }
    value += escaped ?? (match === null ? '' : String.fromCharCode(read(match)));
    at += escaped === undefined ? (match?.[0].length ?? 1) : 2;
  }
  return { ok: false, offset: start, sentence: 'A string is not closed on its line.' };
}
