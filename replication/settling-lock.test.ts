import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../tests/support/fakes/fake-clock.ts';
import type { ExclusiveLock } from './ports.ts';
import { settleLimitMs, settlingLock } from './settling-lock.ts';

const never = new AbortController().signal;

/** A lock that is free at first, and a request in flight. */
function setUp() {
  const clock = createFakeClock();
  const state = { isHeld: false };
  const lock: ExclusiveLock = {
    hold: async (work, stop) => {
      state.isHeld = true;
      await work(stop).finally(() => (state.isHeld = false));
    },
  };
  let answer = () => {};
  const request = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const settling = settlingLock({ lock, clock, idle: () => request });
  return { clock, state, answer, settling };
}

describe('a lock that settles', () => {
  it('D11.7 is held until no request is in flight', async () => {
    const { clock, state, answer, settling } = setUp();
    const held = settling.hold(async () => undefined, never);
    await clock.advance(settleLimitMs - 1);
    expect(state.isHeld).toBe(true);
    answer();
    await held;
    expect(state.isHeld).toBe(false);
  });

  it('is released in time if a request has no answer', async () => {
    const { clock, state, settling } = setUp();
    const held = settling.hold(async () => undefined, never);
    await clock.advance(settleLimitMs);
    await held;
    expect(state.isHeld).toBe(false);
  });

  it('settles also after work that fails', async () => {
    const { clock, state, answer, settling } = setUp();
    const held = settling.hold(() => Promise.reject(new Error('defect')), never);
    held.catch(() => undefined);
    await clock.settle();
    expect(state.isHeld).toBe(true);
    answer();
    await expect(held).rejects.toThrow('defect');
    expect(state.isHeld).toBe(false);
  });
});
