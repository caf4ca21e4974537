import type { Scanner, Token } from './scanner.ts';

/** Words that cannot name anything new. */
export const RESERVED: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'is',
  'if',
  'let',
  'return',
  'function',
  'match',
  'allow',
  'service',
  'request',
  'resource',
]);

export function newName(scanner: Scanner, what: string): Token {
  const token = scanner.expectName(what);
  return RESERVED.has(token.text)
    ? scanner.fail(token.at, `"${token.text}" is a word of the language and names nothing else.`)
    : token;
}
