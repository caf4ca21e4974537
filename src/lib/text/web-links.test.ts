import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { webLinkParts } from './web-links.ts';

const linksOf = (text: string) => webLinkParts(text).flatMap(({ href }) => href ?? []);

it.each([
  ['see https://a.example/b?c=d#e now', ['https://a.example/b?c=d#e']],
  ['HTTP://A.example', ['HTTP://A.example']],
  ['(https://a.example/b).', ['https://a.example/b']],
  ['https://a.example/wiki/Dog_(breed)', ['https://a.example/wiki/Dog_(breed)']],
  ['https://a.example, https://b.example!', ['https://a.example', 'https://b.example']],
  ['"https://a.example"<b>', ['https://a.example']],
  ['https://хвост.example/ж', ['https://хвост.example/ж']],
  ['https://a.example/cut-o…', []],
  ['https://', []],
  ['http://:80', []],
  ['javascript:alert(1) ftp://a.example data:text/html,x www.a.example', []],
])('%j has the links %j', (text, links) => {
  expect(linksOf(text)).toEqual(links);
});

it('nothing of a text is lost, and only web addresses are links', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.webUrl(),
    fc.constantFrom(' ', '.', ')', '(', 'https://', 'javascript:'),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const parts = webLinkParts(text);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      for (const { href } of parts) expect(href ?? 'https://').toMatch(/^https?:\/\//i);
    }),
  );
});
