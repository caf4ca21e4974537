import { describe, expect, it } from 'vitest';
import type { SyncStatus } from '../../schemas/local/relay-message.ts';
import { createRig, done, unavailable } from '../../tests/support/fixtures/coordinator-rig.ts';
import { coalesceMs } from './wake-up.ts';

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

  it('D10.1 that the owner has to sign in again, until the server accepts the sign-in', async () => {
    const rig = createRig();
    rig.outcomes.push({ ...done, kind: 'transient', problem: 'unauthenticated' }, unavailable);
    rig.coordinator.start();
    await rig.clock.settle();
    rig.online.set(false);
    rig.online.set(true);
    await rig.clock.advance(coalesceMs);
    rig.coordinator.poke('manual');
    await rig.clock.advance(coalesceMs);
    expect(rig.seen.slice(1)).toEqual([
      { phase: 'problem', problem: 'unauthenticated' },
      { phase: 'offline', problem: 'unauthenticated' },
      { phase: 'syncing', problem: 'unauthenticated' },
      { phase: 'offline', problem: 'unauthenticated' },
      { phase: 'syncing', problem: 'unauthenticated' },
      { phase: 'idle', problem: null },
    ]);
    await rig.coordinator.stop();
  });

  it('D10.1 syncing again after the server was not reached', async () => {
    const rig = createRig();
    rig.outcomes.push(unavailable);
    rig.coordinator.start();
    await rig.clock.settle();
    rig.coordinator.poke('manual');
    await rig.clock.advance(coalesceMs);
    expect(rig.seen.slice(1)).toEqual([
      { phase: 'offline', problem: 'unavailable' },
      { phase: 'syncing', problem: null },
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
