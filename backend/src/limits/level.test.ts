import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createLevel, type Lease } from './level.ts';
import { LimitError } from './limit-error.ts';

const owner = (uid: string, address = '192.0.2.1') => ({ uid, address });
const stranger = (address: string) => ({ uid: null, address });
const limits = { owner: 10, stranger: 5, address: 20, all: 30 };

const yielding = (isReplaceable = false) => ({ onYield: vi.fn<() => void>(), isReplaceable });

describe('a level', () => {
  it('has a limit for an owner, for a stranger, for an address and for all', () => {
    const level = createLevel(limits);
    level.take(owner('a'), 10);
    expect(() => level.take(owner('a'), 1)).toThrow(LimitError);
    level.take(stranger('192.0.2.1'), 5);
    expect(() => level.take(stranger('192.0.2.1'), 1)).toThrow(LimitError);
    level.take(owner('b'), 5);
    expect(() => level.take(owner('b'), 1)).toThrow(LimitError);
    level.take(owner('b', '192.0.2.2'), 5);
    level.take(owner('c', '192.0.2.2'), 5);
    expect(() => level.take(owner('d', '192.0.2.3'), 1)).toThrow(LimitError);
    expect(level.total()).toBe(30);
  });

  it('releases a lease once', () => {
    const level = createLevel(limits);
    const lease = level.take(owner('a'), 4);
    lease.set(10);
    expect(() => lease.set(11)).toThrow(LimitError);
    expect(level.total()).toBe(10);
    lease.release();
    lease.release();
    lease.set(3);
    expect(level.total()).toBe(0);
  });

  it('makes the client that uses most yield to clients that use less', () => {
    const level = createLevel(limits);
    const [large, small] = [yielding(), yielding()];
    level.take(owner('hog', '198.51.100.1'), 2, yielding());
    level.take(owner('hog', '198.51.100.1'), 8, large);
    level.take(owner('other', '198.51.100.2'), 9, small);
    level.take(owner('third', '198.51.100.3'), 9, yielding());
    level.take(owner('innocent'), 5);
    expect(large.onYield).toHaveBeenCalledTimes(1);
    expect(small.onYield).not.toHaveBeenCalled();
    expect(level.total()).toBe(25);
  });

  it('refuses the one who has most', () => {
    const level = createLevel(limits);
    const small = yielding();
    level.take(owner('a', '198.51.100.1'), 3, small);
    for (const uid of ['b', 'c']) level.take(owner(uid, `198.51.100.${uid}`), 10);
    const hog = level.take(owner('hog'), 7);
    expect(() => hog.set(8)).toThrow(LimitError);
    expect(small.onYield).not.toHaveBeenCalled();
  });

  it('within one owner a new lease takes the place of an old one only if that is replaceable', () => {
    const level = createLevel(limits);
    const [first, second] = [yielding(true), yielding(true)];
    level.take(owner('a'), 5, first);
    level.take(owner('a'), 5, second);
    level.take(owner('a'), 5, yielding(true));
    expect(first.onYield).toHaveBeenCalledTimes(1);
    expect(second.onYield).not.toHaveBeenCalled();
    level.take(owner('b'), 10, yielding());
    expect(() => level.take(owner('b'), 1, yielding())).toThrow(LimitError);
  });

  it('a lease that is moved counts for its new owner, or stays where it was', () => {
    const level = createLevel(limits);
    level.take(owner('full'), 9);
    const lease = level.take(stranger('192.0.2.1'), 5);
    expect(() => lease.moveTo(owner('full'))).toThrow(LimitError);
    expect(() => level.take(stranger('192.0.2.1'), 1)).toThrow(LimitError);
    lease.moveTo(owner('a'));
    expect(() => level.take(stranger('192.0.2.1'), 5)).not.toThrow();
  });

  it('a lease that is released while it moves is over', () => {
    const level = createLevel(limits);
    let lease: Lease | undefined;
    const onYield = () => lease?.release();
    level.take(owner('a'), 10, { onYield, isReplaceable: true });
    lease = level.take(stranger('192.0.2.1'), 5);
    expect(() => lease?.moveTo(owner('a'))).toThrow(LimitError);
    expect(level.total()).toBe(0);
    expect(() => level.take(stranger('192.0.2.1'), 5)).not.toThrow();
  });

  it('a refused lease leaves room for a smaller one', () => {
    const level = createLevel(limits);
    expect(() => level.take(owner('a'), 11)).toThrow(LimitError);
    level.take(owner('a'), 10);
    expect(level.total()).toBe(10);
  });

  it('programs on this very machine share no address', () => {
    const level = createLevel(limits);
    for (const uid of ['a', 'b', 'c']) level.take(owner(uid, '127.0.0.1'), 10);
    expect(level.total()).toBe(30);
  });

  it('never counts more than its limits, and nothing once all is released', () => {
    const step = fc.record({
      uid: fc.constantFrom(null, 'a', 'b', 'c'),
      address: fc.constantFrom('192.0.2.1', '192.0.2.2'),
      amount: fc.nat(12),
      does: fc.constantFrom('take', 'set', 'move', 'release'),
      at: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const level = createLevel(limits);
        const leases: Lease[] = [];
        const errors: unknown[] = [];
        for (const { uid, address, amount, does, at } of steps) {
          const lease = leases[at % Math.max(1, leases.length)];
          try {
            if (does === 'take' || lease === undefined) {
              leases.push(level.take({ uid, address }, amount, yielding(at % 2 === 0)));
            } else if (does === 'set') lease.set(amount);
            else if (does === 'move') lease.moveTo({ uid, address }, yielding());
            else lease.release();
          } catch (error) {
            errors.push(error);
          }
          expect(level.total()).toBeLessThanOrEqual(limits.all);
        }
        expect(errors.every((each) => each instanceof LimitError)).toBe(true);
        for (const each of leases) each.release();
        expect(level.total()).toBe(0);
      }),
    );
  });
});
