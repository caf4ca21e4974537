import { expect, it } from 'vitest';
import { randomSample } from './random-sample.ts';

const items = Array.from({ length: 100 }, (_, index) => index);

it('a sample is the same for the same seed, and another one for another', () => {
  expect(randomSample(items, 20, 7)).toEqual(randomSample(items, 20, 7));
  expect(randomSample(items, 20, 7)).not.toEqual(randomSample(items, 20, 8));
});

it('a sample has each item at most once, and no more items than there are', () => {
  expect(new Set(randomSample(items, 20, 7)).size).toBe(20);
  expect(randomSample(items, 200, 7).toSorted((a, b) => a - b)).toEqual(items);
});

it('a sample comes from the whole list', () => {
  const seen = new Set(
    Array.from({ length: 100 }, (_, seed) => randomSample(items, 5, seed)).flat(),
  );
  expect(seen.size).toBeGreaterThan(90);
});
