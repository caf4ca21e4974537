import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createCoordinator } from './coordinator.ts';
import type { SyncOutcome } from './sync-engine.ts';

const done: SyncOutcome = { kind: 'none', problem: null };
const unavailable: SyncOutcome = { ...done, kind: 'transient', problem: 'unavailable' };

function createRig(outcomes: SyncOutcome[] = [], hasEdited = false) {
  const clock = createFakeClock();
  const events: string[] = [];
  let signalOfWork: AbortSignal | null = null;
  let loseLock = (): void => undefined;
  const coordinator = createCoordinator({
    engine: {
      run: async () => {
        events.push('documents');
        return outcomes.shift() ?? done;
      },
    },
    outbox: {
      work: (signal) =>
        new Promise((resolve) => {
          signalOfWork = signal;
          signal.addEventListener('abort', () => resolve());
        }),
      poke: (reason) => events.push(`poke ${reason}`),
      runOnce: async () => {
        events.push('files');
        return hasEdited;
      },
    },
    lock: {
      hold: async (work) => {
        const lockLost = new AbortController();
        loseLock = () => lockLost.abort();
        await work(lockLost.signal);
      },
    },
    clock,
    online: { isOnline: () => true, watch: () => () => undefined },
    random: () => 0.5,
    log: () => undefined,
  });
  return {
    clock,
    coordinator,
    events,
    signalOfWork: () => signalOfWork,
    loseLock: () => loseLock(),
  };
}

describe('files beside documents', () => {
  it('O5.1 wait while the server is not reached, and follow the first run that reaches it', async () => {
    const rig = createRig([unavailable]);
    rig.coordinator.start();
    await rig.clock.settle();
    expect(rig.events).toEqual(['documents']);
    rig.coordinator.poke('manual');
    await rig.clock.settle();
    expect(rig.events).toEqual(['documents', 'poke manual', 'documents', 'poke documents']);
    await rig.coordinator.stop();
  });

  for (const stuck of [
    { kind: 'transient', problem: 'contention' },
    { kind: 'transient', problem: 'aborted' },
    { kind: 'defect', problem: 'defect' },
    { kind: 'none', problem: null },
    { kind: 'permanent', problem: 'invalid-argument' },
  ] as const) {
    it(`O5.1 go on while documents are stuck: ${String(stuck.problem)}`, async () => {
      const rig = createRig([{ ...done, ...stuck }]);
      rig.coordinator.start();
      await rig.clock.settle();
      expect(rig.events).toEqual(['documents', 'poke documents']);
      await rig.coordinator.stop();
      const worker = createRig([{ ...done, ...stuck }]);
      expect(await worker.coordinator.runOnce()).toMatchObject(stuck);
      expect(worker.events).toContain('files');
    });
  }

  for (const [kind, problem] of [
    ['transient', 'timeout'],
    ['transient', 'not-firestore'],
    ['transient', 'unauthenticated'],
    ['permanent', 'account-refused'],
    ['stopped', 'stopped'],
  ] as const) {
    it(`O5.1 rest after ${problem}`, async () => {
      const rig = createRig([{ ...done, kind, problem }]);
      rig.coordinator.start();
      await rig.clock.settle();
      expect(rig.events).toEqual(['documents']);
      await rig.coordinator.stop();
      const worker = createRig([{ ...done, kind, problem }]);
      await worker.coordinator.runOnce();
      expect(worker.events).toEqual(['documents']);
    });
  }

  it('O5.1 are worked at only while the lock is held', async () => {
    const rig = createRig();
    expect(rig.signalOfWork()).toBeNull();
    rig.coordinator.start();
    await rig.clock.settle();
    const first = rig.signalOfWork();
    expect(first?.aborted).toBe(false);
    rig.loseLock();
    await rig.clock.settle();
    expect(first?.aborted).toBe(true);
    await rig.coordinator.stop();
    expect(rig.signalOfWork()?.aborted).toBe(true);
  });

  it('O5.1 in a worker: documents, files, and both again if files have edited documents', async () => {
    const editing = createRig([], true);
    expect(await editing.coordinator.runOnce()).toEqual(done);
    expect(editing.events.filter((event) => !event.startsWith('poke'))).toEqual([
      'documents',
      'files',
      'documents',
      'files',
    ]);
    const failing = createRig([unavailable]);
    expect(await failing.coordinator.runOnce()).toEqual(unavailable);
    expect(failing.events).toEqual(['documents']);
  });
});
