import { createHash } from 'node:crypto';

export interface RateLimits {
  readonly burst: number;
  readonly everyMs: number;
}

export interface Rate {
  readonly limits: RateLimits;
  /** Returns the milliseconds until the amount is available; 0 when it is. */
  waitMs(key: string, amount: number): number;
  /** Returns the used amount that has not leaked out yet. */
  used(key: string): number;
  /** Adds to the used amount; a negative amount takes it back. */
  add(key: string, amount: number): void;
  clear(key: string): void;
  size(): number;
}

interface Bucket {
  readonly level: number;
  readonly atMs: number;
}

const defaultMaxKeys = 10_000;

/**
 * - It is a leaky bucket per key: `burst` at once, then one more every `everyMs`.
 * - Refused attempts are not counted, so no key is locked out for longer than `everyMs`.
 * - Memory is bounded: keys are kept as hashes, and the least recently used one is evicted first.
 */
export function createRate(
  limits: RateLimits,
  nowMs: () => number,
  maxKeys = defaultMaxKeys,
): Rate {
  const { burst, everyMs } = limits;
  const buckets = new Map<string, Bucket>();

  const used = (key: string): number => levelOf(toId(key));
  const levelOf = (id: string): number => {
    const bucket = buckets.get(id);
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.level - Math.max(0, nowMs() - bucket.atMs) / everyMs);
  };

  return {
    limits,
    waitMs: (key, amount) => Math.max(0, used(key) + amount - burst) * everyMs,
    used,
    add(key, amount) {
      const id = toId(key);
      const level = levelOf(id) + amount;
      // The key is deleted first, so that the insertion order of the map is the order of the last use.
      buckets.delete(id);
      if (level > 0) buckets.set(id, { level, atMs: nowMs() });
      const [oldest] = buckets.keys();
      if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest);
    },
    clear: (key) => void buckets.delete(toId(key)),
    size: () => buckets.size,
  };
}

const toId = (key: string): string => createHash('sha256').update(key).digest('base64url');
