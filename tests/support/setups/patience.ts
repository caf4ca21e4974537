import { vi } from 'vitest';

/** The default timeout of `vi.waitFor` is one second, which a busy machine exceeds, and Vitest has no option for it. */
const patienceMs = 20_000;

const { waitFor } = vi;

vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: patienceMs,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
