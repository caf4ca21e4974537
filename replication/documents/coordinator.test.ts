import { describe, expect, it, vi } from 'vitest';
import type { PokeReason, SyncStatus } from '../../schemas/local/relay-message.ts';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import type { ExclusiveLock, OnlineSignal } from '../ports.ts';
import { createCoordinator, slowTimerMs } from './coordinator.ts';
import type { SyncOutcome } from './sync-engine.ts';
import { coalesceMs } from './wake-up.ts';

const done: SyncOutcome = { kind: 'none', problem: null };
const unavailable: SyncOutcome = { ...done, kind: 'transient', problem: 'unavailable' };

interface FakeOnline extends OnlineSignal {
  set(isOnline: boolean): void;
  isWatched(): boolean;
}

function createFakeOnline(): FakeOnline {
  let isOnline = true;
  const watchers = new Set<(online: boolean) => void>();
  return {
    isOnline: () => isOnline,
    watch: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    set: (next) => {
      isOnline = next;
      for (const watcher of watchers) watcher(next);
    },
    isWatched: () => watchers.size > 0,
  };
}

/** A lock that is free, and can be taken away. */
function createFakeLock() {
  let lockLost = new AbortController();
  let holds = 0;
  const lock: ExclusiveLock = {
    hold: async (work) => {
      holds += 1;
      lockLost = new AbortController();
      await work(lockLost.signal);
    },
  };
  return { lock, loseLock: () => lockLost.abort(), holds: () => holds };
}

function createRig(lockPort?: ExclusiveLock) {
  const clock = createFakeClock();
  const online = createFakeOnline();
  const fakeLock = createFakeLock();
  const signals: AbortSignal[] = [];
  const outcomes: SyncOutcome[] = [];
  const events: string[] = [];
  const passedOn: PokeReason[] = [];
  let finish: ((outcome: SyncOutcome) => void) | null = null;
  const state = { isSlow: false, running: 0, mostRunning: 0 };
  const coordinator = createCoordinator({
    engine: {
      run: async (signal) => {
        signals.push(signal);
        state.running += 1;
        state.mostRunning = Math.max(state.mostRunning, state.running);
        const outcome = state.isSlow
          ? await new Promise<SyncOutcome>((resolve) => {
              finish = resolve;
            })
          : (outcomes.shift() ?? done);
        state.running -= 1;
        return outcome;
      },
    },
    lock: lockPort ?? fakeLock.lock,
    clock,
    online,
    random: () => 0.999_999,
    log: (event) => events.push(event),
    passOn: (reason) => passedOn.push(reason),
  });
  const seen: SyncStatus[] = [];
  coordinator.watch((status) => seen.push(status));
  const runs = (): number => signals.length;
  return {
    clock,
    online,
    fakeLock,
    coordinator,
    outcomes,
    seen,
    signals,
    state,
    events,
    passedOn,
    runs,
    finish: (outcome: SyncOutcome) => finish?.(outcome),
  };
}

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

describe('the coordinator shows', () => {
  it('D10.1 syncing, and then idle', async () => {
    const rig = createRig();
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.seen.map(({ phase }) => phase)).toEqual(['syncing', 'idle']);
    await rig.coordinator.stop();
  });

  it.each(['unavailable', 'timeout'])('D10.1 offline, with the code %s', async (problem) => {
    const rig = createRig();
    rig.outcomes.push({ ...unavailable, problem });
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.coordinator.status()).toEqual({ phase: 'offline', problem });
    await rig.coordinator.stop();
  });

  it.each([
    { ...done, kind: 'permanent', problem: 'account-refused' } as const,
    { ...done, kind: 'transient', problem: 'unauthenticated' } as const,
    { ...done, kind: 'defect', problem: 'defect' } as const,
  ])('D10.1 any other end as a problem: $problem', async (outcome) => {
    const rig = createRig();
    rig.outcomes.push(outcome);
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.coordinator.status()).toEqual({ phase: 'problem', problem: outcome.problem });
    await rig.coordinator.stop();
  });

  it('D10.1 a problem also during the retry, until its outcome', async () => {
    const rig = createRig();
    rig.outcomes.push({ ...done, kind: 'transient', problem: 'unauthenticated' });
    rig.coordinator.start();
    await rig.clock.settle();
    rig.coordinator.poke('manual');
    await rig.clock.advance(coalesceMs);
    expect(rig.seen.slice(1)).toEqual([
      { phase: 'problem', problem: 'unauthenticated' },
      { phase: 'syncing', problem: 'unauthenticated' },
      { phase: 'idle', problem: null },
    ]);
    await rig.coordinator.stop();
  });

  it('D10.1 offline when it gets its turn after the connection went', async () => {
    const turn = new AbortController();
    const rig = createRig({
      hold: async (work) => {
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        await work(new AbortController().signal);
      },
    });
    const seenWhenActive: SyncStatus[] = [];
    rig.coordinator.watch((status) => {
      if (rig.coordinator.isActive()) seenWhenActive.push(status);
    });
    rig.coordinator.start();
    rig.online.set(false);
    await rig.clock.settle();
    turn.abort();
    await rig.clock.settle();
    expect(seenWhenActive).toEqual([{ phase: 'offline', problem: null }]);
    await rig.coordinator.stop();
  });

  it('D10.1 offline as soon as the connection goes', async () => {
    const rig = createRig();
    rig.coordinator.start();
    await rig.clock.settle();
    rig.online.set(false);
    expect(rig.coordinator.status()).toEqual({ phase: 'offline', problem: null });
    await rig.coordinator.stop();
  });

  it('D10.1 offline only after a run in flight, whatever its end', async () => {
    const rig = createRig();
    rig.state.isSlow = true;
    rig.coordinator.start();
    await rig.clock.settle();
    rig.online.set(false);
    expect(rig.coordinator.status().phase).toBe('syncing');
    rig.finish({ ...done, kind: 'defect', problem: 'defect' });
    await rig.clock.settle();
    expect(rig.coordinator.status()).toEqual({ phase: 'offline', problem: null });
    await rig.coordinator.stop();
  });

  it('D10.1 nothing to those who have stopped watching', async () => {
    const rig = createRig();
    const seen: SyncStatus[] = [];
    rig.coordinator.watch((status) => seen.push(status))();
    rig.coordinator.start();
    await rig.clock.settle();
    expect(seen).toEqual([]);
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
