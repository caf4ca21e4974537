import { describe, expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';

describe('the backoff', () => {
  it('D11.6 doubles its bound up to the cap', () => {
    const backoff = createBackoff({ random: () => 0.999_999, firstMs: 1_000, capMs: 8_000 });
    const delays = Array.from({ length: 6 }, () => backoff.nextDelayMs());
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('D11.6 spreads over the whole bound, but never waits for nothing', () => {
    expect(createBackoff({ random: () => 0 }).nextDelayMs()).toBe(250);
    expect(createBackoff({ random: () => 0.5, firstMs: 2_000 }).nextDelayMs()).toBe(1_125);
  });

  it('D11.6 begins anew after a success', () => {
    const backoff = createBackoff({ random: () => 0.999_999, firstMs: 1_000 });
    backoff.nextDelayMs();
    backoff.nextDelayMs();
    backoff.reset();
    expect(backoff.nextDelayMs()).toBe(1_000);
  });
});
