import { createHash } from 'node:crypto';

export interface RateLimits {
  readonly burst: number;
  readonly everyMs: number;
}

const defaultMaxKeys = 10_000;

export type Rate = ReturnType<typeof createRate>;

/**
 * - It is a leaky bucket per key: `burst` at once, then one more every `everyMs`.
 * - Refused attempts are not counted, so no key is locked out for longer than `everyMs`.
 * - Memory is bounded: long keys are kept as hashes, and the least recently used one is evicted first.
 */
export function createRate(limits: RateLimits, elapsedMs: () => number, maxKeys = defaultMaxKeys) {
  const { burst, everyMs } = limits;
  const buckets = new Map<string, { readonly level: number; readonly atMs: number }>();

  /** Returns the used amount that has not leaked out yet. */
  const used = (key: string): number => levelOf(toId(key));
  const levelOf = (id: string): number => {
    const bucket = buckets.get(id);
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.level - (elapsedMs() - bucket.atMs) / everyMs);
  };

  return {
    limits,
    /** Returns the milliseconds until the amount is available; 0 when it is. */
    waitMs: (key: string, amount: number) => Math.max(0, used(key) + amount - burst) * everyMs,
    used,
    /** Adds to the used amount; a negative amount takes it back. */
    add(key: string, amount: number) {
      const id = toId(key);
      const level = levelOf(id) + amount;
      // The key is deleted first, so that the insertion order of the map is the order of the last use.
      buckets.delete(id);
      if (level > 0) buckets.set(id, { level, atMs: elapsedMs() });
      const [oldest] = buckets.keys();
      if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest);
    },
    clear: (key: string) => void buckets.delete(toId(key)),
    size: () => buckets.size,
  };
}

const longestPlainKey = 64;

/** Short keys, as those of owners and addresses, are used on every piece of work, where a hash would cost more than it. */
function toId(key: string): string {
  if (key.length <= longestPlainKey) return key;
  return createHash('sha256').update(key).digest('base64url');
}
