import { vi } from 'vitest';

/**
 * What a test waits for comes late on a busy machine. Vitest's own second is no limit to fail by, and cannot be
 * configured for this one function.
 */
const patienceMs = 20_000;

const { waitFor } = vi;

vi.waitFor = (callback, options) =>
  waitFor(callback, {
    timeout: patienceMs,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
