import { charge, isEmpty, type Bucket } from './leaky-bucket.ts';
import type { RateLimiter } from './ports.ts';

const sweepAbove = 1_000;

/**
 * Creates a limiter for a single process, whose buckets are in memory.
 * @param buckets an empty map, which tests look into.
 */
export function createMemoryLimiter(
  nowMs: () => number,
  buckets = new Map<string, Bucket>(),
): RateLimiter {
  return {
    async charge(uid) {
      const result = charge(buckets.get(uid) ?? null, nowMs());
      if ('waitMs' in result) return result.waitMs;
      buckets.set(uid, result.bucket);
      if (buckets.size > sweepAbove) {
        for (const [key, bucket] of buckets) if (isEmpty(bucket, nowMs())) buckets.delete(key);
      }
      return 0;
    },
  };
}
