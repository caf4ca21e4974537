import { createHash } from 'node:crypto';
import { AuthError } from '../auth-error.ts';

/**
 * - A leaky bucket per key: `capacity` attempts at once, then one more every `drainMs`.
 * - A refused attempt costs nothing, so that nobody is locked out for longer than one drop takes.
 * - An attempt is charged before it is made, so that many at once do not pass together.
 * - Memory is bounded: keys are kept as hashes, the least recently used one goes first.
 */
export interface AttemptLimiter {
  /** @throws {AuthError} TOO_MANY_ATTEMPTS_TRY_LATER */
  charge(key: string): void;
  /** Takes one attempt back. */
  refund(key: string): void;
  clear(key: string): void;
  size(): number;
}

export interface AttemptLimiterOptions {
  readonly nowMs: () => number;
  readonly capacity: number;
  readonly drainMs: number;
  readonly maxKeys?: number;
}

interface Bucket {
  readonly level: number;
  readonly atMs: number;
}

const MAX_KEYS = 10_000;

export function createAttemptLimiter(options: AttemptLimiterOptions): AttemptLimiter {
  const { nowMs, capacity, drainMs, maxKeys = MAX_KEYS } = options;
  const buckets = new Map<string, Bucket>();

  const levelOf = (id: string): number => {
    const bucket = buckets.get(id);
    if (bucket === undefined) return 0;
    return Math.max(0, bucket.level - Math.max(0, nowMs() - bucket.atMs) / drainMs);
  };
  const fill = (id: string, level: number) => {
    // Deleted first: a map keeps its order of insertion, which is that of the last use.
    buckets.delete(id);
    if (level > 0) buckets.set(id, { level, atMs: nowMs() });
    const [oldest] = buckets.keys();
    if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest);
  };

  return {
    charge(key) {
      const id = toId(key);
      const level = levelOf(id);
      if (level + 1 > capacity) throw new AuthError('TOO_MANY_ATTEMPTS_TRY_LATER');
      fill(id, level + 1);
    },
    refund(key) {
      const id = toId(key);
      fill(id, levelOf(id) - 1);
    },
    clear: (key) => void buckets.delete(toId(key)),
    size: () => buckets.size,
  };
}

const toId = (key: string): string => createHash('sha256').update(key).digest('base64url');
