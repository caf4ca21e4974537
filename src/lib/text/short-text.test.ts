import { expect, it } from 'vitest';
import { shortText } from './short-text.ts';

const limits = { maxLength: 20, maxLines: 3 };

it.each([
  ['', ''],
  ['ducks', 'ducks'],
  ['x'.repeat(20), 'x'.repeat(20)],
  ['one\ntwo\nthree', 'one\ntwo\nthree'],
  ['one\ntwo\nthree\nfour', 'one\ntwo\nthree…'],
  ['one\n\n\n\nfour', 'one…'],
  ['ducks on the moor at dawn', 'ducks on the moor…'],
  ['x'.repeat(21), `${'x'.repeat(20)}…`],
  [`${'x'.repeat(19)}🦆`, `${'x'.repeat(19)}…`],
  ['see https://a.example/long', 'see…'],
])('%j becomes %j', (text, short) => {
  expect(shortText(text, limits)).toBe(short);
});
