import { expect, it } from 'vitest';
import { hashToIndex } from './hash-to-index.ts';

it('is always the same for one text, and spreads over the whole range', () => {
  expect(hashToIndex('bramble', 8)).toBe(hashToIndex('bramble', 8));
  const seen = new Set(Array.from({ length: 200 }, (_, n) => hashToIndex(`dog ${String(n)}`, 8)));
  expect(seen).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
});
