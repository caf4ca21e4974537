import { describe, expect, it } from 'vitest';
import { createAttemptLimiter } from './attempt-limiter.ts';

function setUp({ capacity = 3, maxKeys = 100 } = {}) {
  let now = 1_000_000;
  const limiter = createAttemptLimiter({ nowMs: () => now, capacity, drainMs: 1000, maxKeys });
  const isRefused = (key: string): boolean => {
    try {
      limiter.charge(key);
      return false;
    } catch {
      return true;
    }
  };
  const pass = (ms: number) => void (now += ms);
  return { limiter, isRefused, pass };
}

describe('the limit of attempts', () => {
  it('lets some through at once, then one per drop', () => {
    const { isRefused, pass } = setUp();
    expect([1, 2, 3, 4].map(() => isRefused('a'))).toEqual([false, false, false, true]);
    expect(isRefused('b')).toBe(false);
    pass(999);
    expect(isRefused('a')).toBe(true);
    pass(1);
    expect([isRefused('a'), isRefused('a')]).toEqual([false, true]);
  });

  it('a refused attempt costs nothing, however often', () => {
    const { isRefused, pass } = setUp();
    for (let i = 0; i < 1000; i++) isRefused('a');
    pass(1000);
    expect(isRefused('a')).toBe(false);
  });

  it('forgets what is cleared or taken back', () => {
    const { limiter, isRefused } = setUp({ capacity: 1 });
    limiter.charge('a');
    limiter.refund('a');
    limiter.charge('a');
    limiter.clear('a');
    expect(isRefused('a')).toBe(false);
    expect(limiter.size()).toBe(1);
  });

  it('a clock that steps back opens nothing', () => {
    const { isRefused, pass } = setUp({ capacity: 1 });
    expect(isRefused('a')).toBe(false);
    pass(-3_600_000);
    expect(isRefused('a')).toBe(true);
  });

  it('remembers so many keys and no more, the least recently used goes first', () => {
    const { limiter, isRefused } = setUp({ capacity: 2, maxKeys: 10 });
    limiter.charge('kept');
    for (let i = 0; i < 100; i++) {
      limiter.charge(`stranger ${i}`);
      if (i === 5) limiter.charge('kept');
    }
    expect(limiter.size()).toBe(10);
    expect(isRefused('kept')).toBe(false);
  });

  it('a key in use stays', () => {
    const { limiter, isRefused } = setUp({ capacity: 2, maxKeys: 10 });
    limiter.charge('kept');
    for (let i = 0; i < 7; i++) limiter.charge(`stranger ${i}`);
    limiter.charge('kept');
    for (let i = 0; i < 7; i++) limiter.charge(`other ${i}`);
    expect(isRefused('kept')).toBe(true);
  });
});
