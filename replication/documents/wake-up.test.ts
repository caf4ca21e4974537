import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { coalesceMs, createWakeUp, returnPauseMs, type Wait } from './wake-up.ts';

const never = new AbortController().signal;
const easy: Wait = { delayMs: 60_000, isStubborn: false };
const stubborn: Wait = { delayMs: 60_000, isStubborn: true };

function createSleeper() {
  const clock = createFakeClock();
  const wakeUp = createWakeUp(clock);
  const state = { isAwake: false };
  const sleep = (wait: Wait, signal: AbortSignal = never): void => {
    void (async () => {
      await wakeUp.wait(wait, signal);
      state.isAwake = true;
    })();
  };
  return { clock, wakeUp, state, sleep };
}

describe('waking up', () => {
  it('D11.5 ends with the delay', async () => {
    const { clock, state, sleep } = createSleeper();
    sleep(easy);
    await clock.advance(59_999);
    expect(state.isAwake).toBe(false);
    await clock.advance(1);
    expect(state.isAwake).toBe(true);
  });

  it('D11.5 coalesces local writes from the first of them', async () => {
    const { clock, wakeUp, state, sleep } = createSleeper();
    sleep(easy);
    wakeUp.poke('local-write');
    await clock.advance(coalesceMs - 1);
    wakeUp.poke('local-write');
    expect(state.isAwake).toBe(false);
    await clock.advance(1);
    expect(state.isAwake).toBe(true);
  });

  it.each(['focus', 'bell', 'online', 'manual'] as const)(
    'D11.5 ends at once with %s',
    async (reason) => {
      const { clock, wakeUp, state, sleep } = createSleeper();
      sleep(easy);
      await clock.settle();
      wakeUp.poke(reason);
      await clock.settle();
      expect(state.isAwake).toBe(true);
    },
  );

  it('D11.5 ends at once with a poke that came before', async () => {
    const { clock, wakeUp, state, sleep } = createSleeper();
    wakeUp.poke('bell');
    sleep(easy);
    await clock.settle();
    expect(state.isAwake).toBe(true);
  });

  it('D11.5 does not end with a poke that was answered', async () => {
    const { clock, wakeUp, state, sleep } = createSleeper();
    wakeUp.poke('bell');
    wakeUp.clear();
    sleep(easy);
    await clock.settle();
    expect(state.isAwake).toBe(false);
  });

  it.each(['local-write', 'bell'] as const)(
    'D11.6 sleeps on after a failure at %s',
    async (reason) => {
      const { clock, wakeUp, state, sleep } = createSleeper();
      sleep(stubborn);
      wakeUp.poke(reason);
      await clock.advance(59_999);
      expect(state.isAwake).toBe(false);
    },
  );

  it.each(['online', 'manual'] as const)(
    'D11.6 ends a wait after a failure with %s',
    async (reason) => {
      const { clock, wakeUp, state, sleep } = createSleeper();
      sleep(stubborn);
      wakeUp.poke(reason);
      await clock.settle();
      expect(state.isAwake).toBe(true);
    },
  );

  it('D11.6 ends a wait after a failure with a return to the page, a moment after the failure', async () => {
    const { clock, wakeUp, state, sleep } = createSleeper();
    sleep(stubborn);
    for (let count = 0; count < 9; count += 1) wakeUp.poke('focus');
    await clock.advance(returnPauseMs - 1);
    expect(state.isAwake).toBe(false);
    await clock.advance(1);
    expect(state.isAwake).toBe(true);

    state.isAwake = false;
    wakeUp.clear();
    sleep(stubborn);
    await clock.advance(returnPauseMs);
    expect(state.isAwake).toBe(false);
    wakeUp.poke('focus');
    await clock.settle();
    expect(state.isAwake).toBe(true);
  });

  it('D11.4 ends when it is stopped, also before it began', async () => {
    const { clock, state, sleep } = createSleeper();
    const stop = new AbortController();
    sleep({ delayMs: null, isStubborn: true }, stop.signal);
    await clock.settle();
    expect(state.isAwake).toBe(false);
    stop.abort();
    await clock.settle();
    expect(state.isAwake).toBe(true);
    state.isAwake = false;
    sleep(easy, stop.signal);
    await clock.settle();
    expect(state.isAwake).toBe(true);
  });
});
