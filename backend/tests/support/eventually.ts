import { vi } from 'vitest';

/** Waits for a condition; the limit is for a busy machine and is only reached by a failure. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = 15_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 10 });
