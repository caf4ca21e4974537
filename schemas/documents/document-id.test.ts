import { expect, it } from 'vitest';
import { newDocumentId } from './document-id.ts';

it('has 20 letters and digits', () => {
  const id = newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
  expect(id).toMatch(/^[A-Za-z0-9]{20}$/);
});

it('leaves out bytes that would favour some letters, and asks for more', () => {
  let asked = 0;
  const id = newDocumentId((length) => {
    asked += 1;
    return new Uint8Array(length).fill(asked === 1 ? 255 : 61);
  });
  expect(asked).toBe(2);
  expect(id).toBe('9'.repeat(20));
});

it('has the letters of the first bytes, in their order', () => {
  const id = newDocumentId((length) => Uint8Array.from({ length }, (_, index) => index));
  expect(id).toBe('ABCDEFGHIJKLMNOPQRST');
});

it('uses each letter of the alphabet equally often', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 248; byte += 1) {
    const letter = newDocumentId((length) => new Uint8Array(length).fill(byte)).charAt(0);
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  expect(new Set(counts.values())).toEqual(new Set([4]));
});

it('leaves out the first byte that would favour a letter, and takes the last that does not', () => {
  const bytes = [247, 248, ...Array.from({ length: 40 }, () => 0)];
  const id = newDocumentId((length) => Uint8Array.from(bytes.slice(0, length)));
  expect(id).toBe(`9${'A'.repeat(19)}`);
});
