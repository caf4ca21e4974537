import { expect, it } from 'vitest';
import { withShared } from './shared-text.ts';

it.each([
  ['', ['Title', 'Text', 'https://a.example'], 'Title\nText\nhttps://a.example'],
  [
    '',
    [undefined, ' look: https://a.example ', 'https://a.example'],
    'look: https://a.example\nhttps://a.example',
  ],
  ['', ['Same', 'Same and more', undefined], 'Same and more'],
  ['', [undefined, ' ', ''], ''],
  ['half a thought', ['Text'], 'half a thought\n\nText'],
  ['half a thought\n\nText', ['Text'], 'half a thought\n\nText'],
  ['', ['one\r\ntwo\rthree'], 'one\ntwo\nthree'],
  ['one\ntwo', ['one\r\ntwo'], 'one\ntwo'],
  ['half\n\nText\n\nand more', ['Text'], 'half\n\nText\n\nand more'],
  ['one\ntwo and more', ['one\r\ntwo'], 'one\ntwo and more\n\none\ntwo'],
  ['we met a cat', ['cat'], 'we met a cat\n\ncat'],
])('to %j, %j is added as %j', (draft, parts, text) => {
  expect(withShared(draft, parts)).toBe(text);
});
