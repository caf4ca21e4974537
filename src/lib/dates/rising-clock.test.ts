import { describe, expect, it } from 'vitest';
import { createRisingClock } from './rising-clock.ts';

/** Creates a clock that returns these times in order. */
function showing(...times: readonly number[]): () => number {
  const left = [...times];
  return createRisingClock(() => left.shift() ?? Number.NaN);
}

describe('a rising clock', () => {
  it('tells the time', () => {
    const next = showing(1_000, 5_000);
    expect([next(), next()]).toEqual([1_000, 5_000]);
  });

  it('rises within a millisecond, and over a small correction of the clock', () => {
    const next = showing(1_000, 1_000, 990, 1_010);
    expect([next(), next(), next(), next()]).toEqual([1_000, 1_001, 1_002, 1_010]);
  });

  it('follows a clock that is set back, and rises from there', () => {
    const dayMs = 86_400_000;
    const next = showing(dayMs, 1_000, 1_000);
    expect([next(), next(), next()]).toEqual([dayMs, 1_000, 1_001]);
  });
});
