import { expect, it } from 'vitest';
import { stableNumber } from './stable-number.ts';

it('is always the same for one text, and spreads over the whole range', () => {
  expect(stableNumber('bramble', 8)).toBe(stableNumber('bramble', 8));
  const seen = new Set(Array.from({ length: 200 }, (_, n) => stableNumber(`dog ${String(n)}`, 8)));
  expect(seen).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
});
