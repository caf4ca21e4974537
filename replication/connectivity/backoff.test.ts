import { describe, expect, it } from 'vitest';
import { backoffCapMs, createBackoff } from './backoff.ts';

const longest = () => 0.999_999;

describe('the backoff', () => {
  it('D11.6 doubles its bound up to the cap', () => {
    const backoff = createBackoff(longest);
    const delays = Array.from({ length: 10 }, () => backoff.nextDelayMs());
    expect(delays.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(delays.slice(-2)).toEqual([backoffCapMs, backoffCapMs]);
  });

  it('D11.6 spreads over the whole bound, but never waits for nothing', () => {
    expect(createBackoff(() => 0).nextDelayMs()).toBe(250);
    expect(createBackoff(() => 0.5).nextDelayMs()).toBe(1_125);
  });

  it('D11.6 begins anew after a success', () => {
    const backoff = createBackoff(longest);
    backoff.nextDelayMs();
    backoff.nextDelayMs();
    backoff.reset();
    expect(backoff.nextDelayMs()).toBe(2_000);
  });
});
