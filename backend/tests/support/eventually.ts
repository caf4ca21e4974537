import { vi } from 'vitest';

/** Waits for a condition; the limit is for a busy machine and is only reached by a failure. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 15_000, interval: 10 });
