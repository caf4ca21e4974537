import { expect, it } from 'vitest';
import { avoidOverlap } from './avoid-overlap.ts';

const box = { top: 16, bottom: 80, left: 10, right: 380 };

it.each([
  ['beside it', { top: 16, bottom: 60, left: 380, right: 420 }, 0],
  ['below it', { top: 80, bottom: 124, left: 10, right: 380 }, 0],
  ['under it', { top: 8, bottom: 52, left: 8, right: 52 }, 44],
  ['touching its edge', { top: 79, bottom: 123, left: 10, right: 380 }, 115],
])('keeps clear of what is focused %s', (_where, focused, shift) => {
  expect(avoidOverlap(box, focused, 800)).toBe(shift);
});

it('stays where it is when there is no room below', () => {
  expect(avoidOverlap(box, { top: 0, bottom: 780, left: 0, right: 390 }, 800)).toBe(0);
});
