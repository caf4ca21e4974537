import { describe, expect, it } from 'vitest';
import { createRate } from './rate.ts';

function setUp({ burst = 3, maxKeys = 100 } = {}) {
  let now = 1_000_000;
  const rate = createRate({ burst, everyMs: 1000 }, () => now, maxKeys);
  const isRefused = (key: string): boolean => {
    if (rate.waitMs(key, 1) > 0) return true;
    rate.add(key, 1);
    return false;
  };
  const pass = (ms: number) => void (now += ms);
  return { rate, isRefused, pass };
}

describe('a rate', () => {
  it('lets some through at once, then one per drop', () => {
    const { isRefused, pass } = setUp();
    expect([1, 2, 3, 4].map(() => isRefused('a'))).toEqual([false, false, false, true]);
    expect(isRefused('b')).toBe(false);
    pass(999);
    expect(isRefused('a')).toBe(true);
    pass(1);
    expect([isRefused('a'), isRefused('a')]).toEqual([false, true]);
  });

  it('a refused attempt costs nothing, however often, and is told how long to wait', () => {
    const { rate, isRefused, pass } = setUp();
    for (let i = 0; i < 1000; i++) isRefused('a');
    expect(rate.waitMs('a', 1)).toBe(1000);
    pass(1000);
    expect(isRefused('a')).toBe(false);
  });

  it('forgets attempts that are cleared or taken back', () => {
    const { rate, isRefused } = setUp({ burst: 1 });
    rate.add('a', 1);
    rate.add('a', -1);
    rate.add('a', 1);
    rate.clear('a');
    expect(isRefused('a')).toBe(false);
    expect(rate.size()).toBe(1);
  });

  it('remembers so many keys and no more, the least recently used is evicted', () => {
    const { rate, isRefused } = setUp({ burst: 2, maxKeys: 10 });
    rate.add('kept', 1);
    for (let i = 0; i < 100; i++) {
      rate.add(`stranger ${i}`, 1);
      if (i === 5) rate.add('kept', 1);
    }
    expect(rate.size()).toBe(10);
    expect(isRefused('kept')).toBe(false);
  });

  it('a key in use stays', () => {
    const { rate, isRefused } = setUp({ burst: 2, maxKeys: 10 });
    rate.add('kept', 1);
    for (let i = 0; i < 7; i++) rate.add(`stranger ${i}`, 1);
    rate.add('kept', 1);
    for (let i = 0; i < 7; i++) rate.add(`other ${i}`, 1);
    expect(isRefused('kept')).toBe(true);
  });
});
