import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../tests/support/fakes/fake-clock.ts';
import { createMemoryChannels } from '../tests/support/fakes/memory-channels.ts';
import {
  endRunOfOlderWorker,
  openingMs,
  runInBackground,
  type BackgroundRunDeps,
} from './background-run.ts';
import { answerPings } from './connectivity/lock-watch.ts';
import type { SyncOutcome } from './documents/sync-engine.ts';
import type { ExclusiveLock } from './ports.ts';

const uid = 'owner-1';
const clean: SyncOutcome = { kind: 'none', problem: null };
const unanswered: SyncOutcome = { ...clean, kind: 'transient', problem: 'unavailable' };

interface World {
  /** The answer to each request of the lock; the last one is repeated. */
  readonly isLockFree?: readonly [boolean, boolean];
  /** Whether the other context that holds the lock is frozen. */
  readonly isHolderFrozen?: boolean;
  readonly isHere?: boolean;
  readonly outcome?: SyncOutcome | null;
  readonly hasFilesLeft?: boolean;
  readonly unsent?: number;
  readonly fails?: boolean;
  /** A sign-out steals the lock while the unsent items are counted. */
  readonly isStolen?: boolean;
}

function setUp(world: World = {}) {
  const {
    isLockFree = [true, true],
    isHere = true,
    outcome = clean,
    hasFilesLeft = false,
    unsent = 0,
  } = world;
  const openChannel = createMemoryChannels();
  if (world.isHolderFrozen !== true) answerPings({ uid, openChannel });
  const told: unknown[] = [];
  const badges: number[] = [];
  const tab = openChannel(`pawpals-sync:${uid}`);
  tab.listen((message) => told.push(message));
  const calls: string[] = [];
  let asked = 0;
  const stolen = new AbortController();
  const lock: ExclusiveLock = {
    hold: async (work, stop) => {
      if (stop.aborted) return;
      const isFree = isLockFree[asked === 0 ? 0 : 1];
      asked += 1;
      if (isFree) await work(stolen.signal);
    },
  };
  const clock: BackgroundRunDeps['clock'] = {
    after: (_, run) => {
      queueMicrotask(run);
      return () => undefined;
    },
  };
  const deps: BackgroundRunDeps = {
    uid,
    lock,
    openChannel,
    clock,
    hasDatabase: async () => isHere,
    showUnsent: async (count) => void badges.push(count),
    open: async (held) => {
      calls.push('open');
      return {
        coordinator: {
          runOnce: async (stop = new AbortController().signal) => {
            await held.hold(async () => void calls.push('run'), stop);
            if (world.fails === true) throw new Error('a defect');
            return outcome;
          },
        },
        readWorkLeft: async () => {
          if (world.isStolen === true) stolen.abort();
          return { count: unsent, hasFilesLeft };
        },
        close: async () => void calls.push('close'),
      };
    },
  };
  return { deps, calls, told, badges };
}

describe('sync without a page', () => {
  it('D11.8 runs once under the lock, and closes what it has opened', async () => {
    const { deps, calls, told } = setUp();
    expect(await runInBackground(deps)).toBe('done');
    expect(calls).toEqual(['open', 'run', 'close']);
    expect(told).toEqual([{ type: 'poke', reason: 'online' }]);
  });

  it('D11.8 leaves the work to a tab that syncs, and tells it', async () => {
    const { deps, calls, told } = setUp({ isLockFree: [false, false] });
    expect(await runInBackground(deps)).toBe('done');
    expect(calls).toEqual([]);
    expect(told).toHaveLength(1);
  });

  it('D11.8 asks to be woken again if the tab that should sync is frozen', async () => {
    const { deps, calls } = setUp({ isLockFree: [false, false], isHolderFrozen: true });
    expect(await runInBackground(deps)).toBe('later');
    expect(calls).toEqual([]);
  });

  it('D11.8 does the work of a tab that was closed while the browser woke the worker', async () => {
    const { deps, calls } = setUp({ isLockFree: [false, true], isHolderFrozen: true });
    expect(await runInBackground(deps)).toBe('done');
    expect(calls).toEqual(['open', 'run', 'close']);
  });

  it('D11.9 shows no badge of an owner who signs out meanwhile', async () => {
    const { deps, calls, badges } = setUp({ unsent: 3, isStolen: true });
    await runInBackground(deps);
    expect(calls).toEqual(['open', 'run', 'close']);
    expect(badges).toEqual([]);
  });

  it('D11.9 does not make anew what a sign-out has erased', async () => {
    const { deps, calls } = setUp({ isHere: false });
    expect(await runInBackground(deps)).toBe('done');
    expect(calls).toEqual([]);
  });

  it.each([
    ['the server did not answer', { outcome: unanswered }],
    ['there was no connection', { outcome: null }],
    ['a file waits still', { hasFilesLeft: true }],
  ])('D11.8 asks to be woken again if %s', async (_, world) => {
    const { deps } = setUp(world);
    expect(await runInBackground(deps)).toBe('later');
  });

  it('counts on the badge what is left, and leaves it alone where somebody else syncs', async () => {
    const sent = setUp();
    await runInBackground(sent.deps);
    expect(sent.badges).toEqual([0]);
    const left = setUp({ outcome: unanswered, unsent: 3 });
    await runInBackground(left.deps);
    expect(left.badges).toEqual([3]);
    const other = setUp({ isLockFree: [false, false] });
    await runInBackground(other.deps);
    expect(other.badges).toEqual([]);
  });

  it('D11.8 lets the lock go if the databases do not open in time, and closes what opens later', async () => {
    const clock = createFakeClock();
    const { deps, calls } = setUp();
    let isHeld = false;
    const lock: ExclusiveLock = {
      hold: async (work) => {
        isHeld = true;
        try {
          await work(new AbortController().signal);
        } finally {
          isHeld = false;
        }
      },
    };
    const failure = runInBackground({
      ...deps,
      clock,
      lock,
      open: async (held) => {
        await new Promise<void>((resolve) => clock.after(openingMs * 2, resolve));
        return deps.open(held);
      },
    }).catch((error: unknown) => error);
    await clock.advance(openingMs - 1);
    expect(isHeld).toBe(true);
    await clock.advance(1);
    expect(await failure).toMatchObject({ code: 'timeout' });
    expect(isHeld).toBe(false);
    await clock.advance(openingMs);
    expect(calls).toEqual(['open', 'close']);
  });

  it('D11.8 ends its run when a new version takes over, closes, and asks to be woken again', async () => {
    const { deps, calls, badges } = setUp();
    const outcome = await runInBackground({
      ...deps,
      open: async (held) => {
        const sync = await deps.open(held);
        const untilAborted = (signal: AbortSignal): Promise<void> =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve());
            endRunOfOlderWorker(deps.openChannel);
          });
        const runOnce = async (): Promise<SyncOutcome> => {
          await held.hold(untilAborted, new AbortController().signal);
          return { kind: 'stopped', problem: 'stopped' };
        };
        return { ...sync, coordinator: { runOnce } };
      },
    });
    expect(outcome).toBe('later');
    expect(calls).toEqual(['open', 'close']);
    expect(badges).toEqual([]);
  });

  it('D11.8 does not wait for a tab that closes when a new version takes over', async () => {
    const { deps, calls } = setUp({ isLockFree: [false, true] });
    const clock: BackgroundRunDeps['clock'] = {
      after: () => {
        endRunOfOlderWorker(deps.openChannel);
        return () => undefined;
      },
    };
    expect(await runInBackground({ ...deps, clock })).toBe('later');
    expect(calls).toEqual([]);
  });

  it('D11.8 closes after a defect too', async () => {
    const { deps, calls } = setUp({ fails: true });
    await expect(runInBackground(deps)).rejects.toThrow('a defect');
    expect(calls.at(-1)).toBe('close');
  });
});
