/** A string literal in single or double quotes, from its opening quote on. */
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

const CODE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/y;

export function scanString(source: string, start: number): ScannedString {
  const quote = source[start];
  let value = '';
  let at = start + 1;
  while (at < source.length) {
    const character = source[at] ?? '';
    if (character === quote) return { ok: true, value, end: at + 1 };
    if (character === '\n') break;
    if (character !== '\\') {
      value += character;
      at += 1;
      continue;
    }
    const escaped = ESCAPES.get(source[at + 1] ?? '');
    CODE.lastIndex = at;
    const code = CODE.exec(source);
    if (escaped === undefined && code === null) {
      return {
        ok: false,
        offset: at,
        sentence: 'This escape is unknown: write \\\\ for a backslash.',
      };
    }
    value += escaped ?? String.fromCharCode(Number.parseInt(code?.[1] ?? code?.[2] ?? '', 16));
    at += escaped === undefined ? (code?.[0].length ?? 1) : 2;
  }
  return { ok: false, offset: start, sentence: 'A string is not closed on its line.' };
}
