import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { centreCrop, maxZoomOf, movedCrop, squareOf, withinPicture } from './square-crop.ts';

const wide = { width: 4_000, height: 1_000 };

it('takes the largest square in the middle at first', () => {
  expect(squareOf(wide, centreCrop)).toEqual({ x: 1_500, y: 0, edge: 1_000 });
  expect(squareOf({ width: 300, height: 900 }, centreCrop)).toEqual({ x: 0, y: 300, edge: 300 });
});

it('moves by shares of its edge, and stops at the picture’s', () => {
  expect(squareOf(wide, movedCrop(wide, centreCrop, { x: 0.5, y: 0.5 })).x).toBe(2_000);
  expect(squareOf(wide, movedCrop(wide, centreCrop, { x: 9, y: -9 }))).toMatchObject({
    x: 3_000,
    y: 0,
  });
});

it('has no way to go back after it was pushed against an edge', () => {
  const pushed = movedCrop(wide, centreCrop, { x: 50, y: 0 });
  expect(squareOf(wide, movedCrop(wide, pushed, { x: -0.1, y: 0 })).x).toBeCloseTo(2_900);
});

it('zooms no further than there is something to see', () => {
  expect(maxZoomOf(wide)).toBe(4);
  expect(maxZoomOf({ width: 128, height: 500 })).toBe(2);
  expect(maxZoomOf({ width: 40, height: 500 })).toBe(1);
});

it('never leaves the picture', () => {
  const length = fc.integer({ min: 1, max: 20_000 });
  const share = fc.double({ min: -2, max: 3, noNaN: true });
  const crop = fc.record({
    centreX: share,
    centreY: share,
    zoom: fc.double({ min: 0.1, max: 9, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.record({ width: length, height: length }), crop, (size, wanted) => {
      const { x, y, edge } = squareOf(size, withinPicture(size, wanted));
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-6);
      expect(x + edge).toBeLessThanOrEqual(size.width + 1e-6);
      expect(y + edge).toBeLessThanOrEqual(size.height + 1e-6);
      expect(edge).toBeGreaterThan(0);
    }),
  );
});
