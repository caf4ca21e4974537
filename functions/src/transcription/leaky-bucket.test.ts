import { expect, it } from 'vitest';
import { charge, isEmpty, type Bucket } from './leaky-bucket.ts';

/** Charges the bucket until it refuses. */
function fill(start: Bucket | null, nowMs: number) {
  let bucket = start;
  for (let passed = 0; ; passed += 1) {
    const result = charge(bucket, nowMs);
    if ('waitMs' in result) return { passed, bucket, waitMs: result.waitMs };
    ({ bucket } = result);
  }
}

it('takes thirty at once, and then one every twenty seconds', () => {
  const full = fill(null, 1_000);
  expect([full.passed, full.waitMs]).toEqual([30, 20_000]);
  expect(fill(full.bucket, 1_000 + 19_999).passed).toBe(0);
  expect(fill(full.bucket, 1_000 + 20_000).passed).toBe(1);
  expect(fill(full.bucket, 1_000 + 20_000).waitMs).toBe(20_000);
  expect(fill(full.bucket, 1_000 + 3_600_000).passed).toBe(30);
});

it('says how long it takes until one passes', () => {
  const { bucket } = fill(null, 0);
  const refused = charge(bucket, 5_000);
  expect(refused).toEqual({ waitMs: 15_000 });
  expect(charge(bucket, 20_000)).toHaveProperty('bucket');
});

it('neither drains nor fills when the clock steps back', () => {
  const { bucket } = fill(null, 100_000);
  expect(charge(bucket, 0)).toEqual({ waitMs: 20_000 });
});

it('is empty when nothing of it counts any more', () => {
  const { bucket } = fill(null, 0);
  if (bucket === null) throw new Error('Nothing passed');
  expect(isEmpty(bucket, 599_999)).toBe(false);
  expect(isEmpty(bucket, 600_000)).toBe(true);
});
