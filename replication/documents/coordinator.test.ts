import { describe, expect, it, vi } from 'vitest';
import { createRig, done, unavailable } from '../../tests/support/fixtures/coordinator-rig.ts';
import { slowTimerMs } from './coordinator.ts';
import { coalesceMs } from './wake-up.ts';

describe('the coordinator syncs', () => {
  it('D11.5 at the start, and then with the slow timer', async () => {
    const rig = createRig();
    rig.coordinator.start();
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.runs()).toBe(1);
    await rig.clock.advance(slowTimerMs - 1);
    expect(rig.runs()).toBe(1);
    await rig.clock.advance(1);
    expect(rig.runs()).toBe(2);
    await rig.coordinator.stop();
  });

  it('D11.5 after local writes, once for all of them', async () => {
    const rig = createRig();
    rig.coordinator.start();
    await rig.clock.settle();
    for (let write = 0; write < 5; write += 1) rig.coordinator.poke('local-write');
    await rig.clock.advance(coalesceMs);
    expect(rig.runs()).toBe(2);
    await rig.coordinator.stop();
  });

  it('D10.3 passes a poke on to the tab that holds the lock, unless it holds it itself', async () => {
    const rig = createRig();
    rig.coordinator.poke('manual');
    expect(rig.passedOn).toEqual(['manual']);
    rig.coordinator.start();
    await rig.clock.settle();
    rig.coordinator.poke('bell');
    expect(rig.passedOn).toEqual(['manual']);
    await rig.coordinator.stop();
  });

  it('D11.7 never twice at once, and again for what came meanwhile', async () => {
    const rig = createRig();
    rig.state.isSlow = true;
    rig.coordinator.start();
    await rig.clock.settle();
    rig.coordinator.poke('bell');
    rig.coordinator.poke('manual');
    await rig.clock.settle();
    expect(rig.runs()).toBe(1);
    rig.finish(done);
    await rig.clock.settle();
    expect(rig.runs()).toBe(2);
    rig.finish(done);
    await rig.clock.settle();
    expect(rig.runs()).toBe(2);
    expect(rig.state.mostRunning).toBe(1);
    await rig.coordinator.stop();
  });

  it('D11.6 again with growing pauses while there is no answer', async () => {
    const rig = createRig();
    rig.outcomes.push(unavailable, unavailable, unavailable);
    rig.coordinator.start();
    await rig.clock.advance(2_000);
    expect(rig.runs()).toBe(2);
    await rig.clock.advance(3_999);
    expect(rig.runs()).toBe(2);
    await rig.clock.advance(1);
    expect(rig.runs()).toBe(3);
    await rig.coordinator.stop();
  });

  it('D11.6 at once when the connection comes back', async () => {
    const rig = createRig();
    rig.outcomes.push(unavailable);
    rig.coordinator.start();
    await rig.clock.settle();
    rig.coordinator.poke('local-write');
    await rig.clock.advance(coalesceMs);
    expect(rig.runs()).toBe(1);
    rig.online.set(true);
    await rig.clock.settle();
    expect(rig.runs()).toBe(2);
    await rig.coordinator.stop();
  });

  it('D11.6 not at a growing pace when it was refused for good', async () => {
    const rig = createRig();
    rig.outcomes.push({ ...done, kind: 'permanent', problem: 'account-refused' });
    rig.coordinator.start();
    await rig.clock.advance(slowTimerMs - 1);
    expect(rig.runs()).toBe(1);
    await rig.clock.advance(1);
    expect(rig.runs()).toBe(2);
    await rig.coordinator.stop();
  });

  it('D10.2 not while offline, whatever happens', async () => {
    const rig = createRig();
    const after = vi.spyOn(rig.clock, 'after');
    rig.online.set(false);
    rig.coordinator.start();
    await rig.clock.settle();
    expect(after).not.toHaveBeenCalled();
    for (const reason of ['local-write', 'focus', 'manual', 'bell'] as const) {
      rig.coordinator.poke(reason);
    }
    await rig.clock.advance(slowTimerMs * 3);
    expect(rig.runs()).toBe(0);
    expect(rig.coordinator.status()).toEqual({ phase: 'offline', problem: null });
    rig.online.set(true);
    await rig.clock.settle();
    expect(rig.runs()).toBe(1);
    await rig.coordinator.stop();
  });
});

describe('the lock of the coordinator', () => {
  it('D11.1 is held while it works, and given up by a stop', async () => {
    const rig = createRig();
    expect(rig.coordinator.isActive()).toBe(false);
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.coordinator.isActive()).toBe(true);
    await rig.coordinator.stop();
    expect(rig.coordinator.isActive()).toBe(false);
    expect(rig.online.isWatched()).toBe(false);
    rig.coordinator.poke('manual');
    await rig.clock.advance(slowTimerMs);
    expect(rig.runs()).toBe(1);
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.runs()).toBe(2);
    await rig.coordinator.stop();
  });

  it('D11.4 ends the run when it is taken away, and is waited for again', async () => {
    const rig = createRig();
    rig.state.isSlow = true;
    rig.coordinator.start();
    await rig.clock.settle();
    rig.fakeLock.loseLock();
    expect(rig.signals[0]?.aborted).toBe(true);
    rig.finish({ ...done, kind: 'stopped', problem: 'stopped' });
    await rig.clock.settle();
    expect(rig.fakeLock.holds()).toBe(2);
    expect(rig.runs()).toBe(2);
    rig.finish(done);
    await rig.coordinator.stop();
  });

  it('D11.4 ends the run when the owner leaves', async () => {
    const rig = createRig();
    rig.state.isSlow = true;
    rig.coordinator.start();
    await rig.clock.settle();
    const stopped = rig.coordinator.stop();
    expect(rig.signals[0]?.aborted).toBe(true);
    rig.finish({ ...done, kind: 'stopped', problem: 'stopped' });
    await stopped;
    expect(rig.runs()).toBe(1);
    expect(rig.seen.map(({ phase }) => phase)).toEqual(['syncing', 'idle']);
  });

  it('D11.1 that cannot be had at all is a problem, tried again later', async () => {
    let attempts = 0;
    const rig = createRig({
      hold: () => {
        attempts += 1;
        return Promise.reject(new Error('no locks here'));
      },
    });
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.coordinator.status()).toEqual({ phase: 'problem', problem: 'no-lock' });
    expect(rig.events).toEqual(['sync-lock-failed']);
    await rig.clock.advance(2_000);
    expect(attempts).toBe(2);
    await rig.coordinator.stop();
  });

  it('D11.1 that is refused is not asked for without a pause, whatever was poked while the tab waited for it', async () => {
    const waiting = new AbortController();
    let attempts = 0;
    const rig = createRig({
      hold: () => {
        attempts += 1;
        // A loop would otherwise never end.
        if (attempts > 10) return new Promise(() => undefined);
        if (attempts > 1) return Promise.reject(new Error('the page is going'));
        return new Promise((_resolve, reject) => {
          waiting.signal.addEventListener('abort', () => reject(new Error('the page is going')));
        });
      },
    });
    rig.coordinator.start();
    rig.coordinator.poke('online');
    waiting.abort();
    await rig.clock.settle();
    expect(attempts).toBe(2);
    await rig.clock.advance(4_000);
    expect(attempts).toBe(3);
    await rig.coordinator.stop();
  });

  it('D11.2 lets a worker do a single run', async () => {
    const rig = createRig();
    expect(await rig.coordinator.runOnce()).toEqual(done);
    expect(rig.runs()).toBe(1);
    await rig.clock.advance(slowTimerMs * 2);
    expect(rig.runs()).toBe(1);
  });

  it('D11.2 tells a worker that somebody else has it, or that there is no connection', async () => {
    const taken = createRig({ hold: () => Promise.resolve() });
    expect(await taken.coordinator.runOnce()).toBeNull();
    const offline = createRig();
    offline.online.set(false);
    expect(await offline.coordinator.runOnce()).toBeNull();
    expect(offline.runs()).toBe(0);
  });
});
