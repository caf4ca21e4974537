import { expect, it } from 'vitest';
import type { Bucket } from './leaky-bucket.ts';
import { createMemoryLimiter } from './memory-limiter.ts';

it('counts each user, and forgets who has not asked for long', async () => {
  let nowMs = 0;
  const buckets = new Map<string, Bucket>();
  const limiter = createMemoryLimiter(() => nowMs, buckets);
  for (let count = 0; count < 30; count += 1) expect(await limiter.charge('alice')).toBe(0);
  expect(await limiter.charge('alice')).toBe(20_000);
  // Many other users do not evict the user who has to wait.
  for (let user = 0; user < 3_000; user += 1) expect(await limiter.charge(`u${user}`)).toBe(0);
  expect(await limiter.charge('alice')).toBe(20_000);
  nowMs = 20_000;
  expect(await limiter.charge('alice')).toBe(0);
  expect([...buckets.keys()]).toEqual(['alice']);
});
