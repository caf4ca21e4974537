import { describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import { pingEveryMs, pingsUntilFrozen } from './lock-watch.ts';
import type { ExclusiveLock } from '../ports.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';
import { createWebLock, createWebLockIfAvailable, type LockManagerPort } from './web-lock.ts';
import { createPageLocks } from './page-locks.ts';

const uid = 'owner-1';
const untilStolenMs = pingEveryMs * (pingsUntilFrozen + 1);
/** A signal that is never aborted. */
function never(): AbortSignal {
  return new AbortController().signal;
}

interface Origin {
  readonly clock: FakeClock;
  readonly locks: LockManagerPort;
  /** The number of pages that lost the lock. */
  stolenCount(): number;
  tab(options?: { readonly isVisible?: boolean; readonly isFrozen?: boolean }): ExclusiveLock;
  worker(): ExclusiveLock;
}

/** A frozen page neither sends nor receives messages. */
const deafChannel: OpenChannel = () => ({
  post: () => undefined,
  listen: () => undefined,
  close: () => undefined,
});

function createOrigin(): Origin {
  const clock = createFakeClock();
  const locks = createPageLocks();
  const openChannel = createMemoryChannels();
  let stolenCount = 0;
  const onLockLost = (): void => {
    stolenCount += 1;
  };
  return {
    clock,
    locks,
    stolenCount: () => stolenCount,
    tab: ({ isVisible = true, isFrozen = false } = {}) =>
      createWebLock({
        uid,
        locks,
        openChannel: isFrozen ? deafChannel : openChannel,
        clock,
        isVisible: () => isVisible,
        onLockLost,
      }),
    worker: () => createWebLockIfAvailable({ uid, locks, onLockLost }),
  };
}

/** Work that ends when its signal is aborted, and records how it ended. */
function createWork() {
  const log: string[] = [];
  const run = (signal: AbortSignal): Promise<void> => {
    log.push('begun');
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        log.push('stolen');
        resolve();
      });
    });
  };
  return { log, run };
}

describe('the lock', () => {
  it('D11.1 has one holder; the next one begins when it ends', async () => {
    const origin = createOrigin();
    const order: string[] = [];
    let end: (() => void) | undefined;
    const first = origin.tab().hold(async () => {
      order.push('first begins');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      order.push('first ends');
    }, never());
    const second = origin.tab().hold(async () => {
      order.push('second begins');
    }, never());
    await origin.clock.settle();
    expect(order).toEqual(['first begins']);
    end?.();
    await Promise.all([first, second]);
    expect(order).toEqual(['first begins', 'first ends', 'second begins']);
  });

  it('D11.1 is not lost when the work fails, of which the caller hears', async () => {
    const origin = createOrigin();
    const fails = () => Promise.reject(new Error('no'));
    await expect(origin.tab().hold(fails, never())).rejects.toThrow('no');
    await expect(origin.worker().hold(fails, never())).rejects.toThrow('no');
    expect(origin.stolenCount()).toBe(0);
  });

  it('D11.1 is one for each owner', async () => {
    const origin = createOrigin();
    const work = createWork();
    void origin.tab().hold(work.run, never());
    let isHeld = false;
    const other = createWebLock({
      uid: 'owner-2',
      locks: origin.locks,
      openChannel: deafChannel,
      clock: origin.clock,
      isVisible: () => true,
      onLockLost: () => undefined,
    });
    await other.hold(async () => {
      isHeld = true;
    }, never());
    expect(isHeld).toBe(true);
  });

  it('D11.1 is no longer waited for after a stop', async () => {
    const origin = createOrigin();
    const holder = createWork();
    void origin.tab().hold(holder.run, never());
    const stop = new AbortController();
    const waiter = createWork();
    const waiting = origin.tab().hold(waiter.run, stop.signal);
    await origin.clock.settle();
    stop.abort();
    await waiting;
    await origin.tab().hold(waiter.run, AbortSignal.abort());
    expect(waiter.log).toEqual([]);
    expect(holder.log).toEqual(['begun']);
  });

  it('D11.1 passes on an error of the work', async () => {
    const work = () => Promise.reject(new Error('broken'));
    await expect(createOrigin().tab().hold(work, never())).rejects.toThrow('broken');
  });

  it('D11.2 is left at once by a worker that cannot have it', async () => {
    const origin = createOrigin();
    const holder = createWork();
    const stop = new AbortController();
    void origin.tab().hold(holder.run, stop.signal);
    const worker = createWork();
    await origin.worker().hold(worker.run, never());
    expect(worker.log).toEqual([]);
  });

  it('D11.3 is answered for only while it is held', async () => {
    const { clock, locks } = createOrigin();
    const channels = createMemoryChannels();
    const names: string[] = [];
    const openChannel: OpenChannel = (name) => {
      names.push(name);
      return channels(name);
    };
    const onLockLost = (): void => undefined;
    const lock = createWebLock({
      uid,
      locks,
      openChannel,
      clock,
      isVisible: () => true,
      onLockLost,
    });
    const heard: unknown[] = [];
    let end = (): void => undefined;
    const work = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = lock.hold(() => work, never());
    await clock.settle();
    const other = channels(names[0] ?? '');
    other.listen((message) => void heard.push(message));
    other.post('ping');
    await clock.settle();
    expect(heard).toEqual(['pong']);
    end();
    await held;
    other.post('ping');
    await clock.settle();
    expect(heard).toHaveLength(1);
  });

  it('D11.2 is not taken by a tab or a worker that has been stopped before', async () => {
    const origin = createOrigin();
    for (const lock of [origin.worker(), origin.tab()]) {
      const work = createWork();
      await lock.hold(work.run, AbortSignal.abort());
      expect(work.log).toEqual([]);
    }
  });

  it('D11.2 is taken by a worker if nobody has it', async () => {
    let isHeld = false;
    await createOrigin()
      .worker()
      .hold(async () => {
        isHeld = true;
      }, never());
    expect(isHeld).toBe(true);
  });
});

describe('a frozen holder', () => {
  it('D11.3 is replaced by a visible tab, and learns it from its signal', async () => {
    const origin = createOrigin();
    const frozen = createWork();
    const held = origin.tab({ isFrozen: true }).hold(frozen.run, never());
    const waiter = createWork();
    void origin.tab().hold(waiter.run, never());
    await origin.clock.advance(untilStolenMs - 1);
    expect(waiter.log).toEqual([]);
    await origin.clock.advance(1);
    expect(waiter.log).toEqual(['begun']);
    expect(frozen.log).toEqual(['begun', 'stolen']);
    expect(origin.stolenCount()).toBe(1);
    await held;
  });

  it('D11.3 is distinguished from a holder that answers, however long it works', async () => {
    const origin = createOrigin();
    const busy = createWork();
    void origin.tab().hold(busy.run, never());
    const waiter = createWork();
    void origin.tab().hold(waiter.run, never());
    await origin.clock.advance(untilStolenMs * 10);
    expect(waiter.log).toEqual([]);
    expect(busy.log).toEqual(['begun']);
  });

  it('D11.3 includes a worker that keeps the lock while a visible tab waits', async () => {
    const origin = createOrigin();
    const stuck = createWork();
    void origin.worker().hold(stuck.run, never());
    const waiter = createWork();
    void origin.tab().hold(waiter.run, never());
    await origin.clock.advance(untilStolenMs);
    expect(stuck.log).toEqual(['begun', 'stolen']);
    expect(waiter.log).toEqual(['begun']);
  });

  it('D11.3 is left alone by a tab that nobody looks at', async () => {
    const origin = createOrigin();
    const frozen = createWork();
    void origin.tab({ isFrozen: true }).hold(frozen.run, never());
    const waiter = createWork();
    void origin.tab({ isVisible: false }).hold(waiter.run, never());
    await origin.clock.advance(untilStolenMs * 10);
    expect(waiter.log).toEqual([]);
  });

  it('D11.3 is left alone by a tab that has stopped waiting', async () => {
    const origin = createOrigin();
    const frozen = createWork();
    void origin.tab({ isFrozen: true }).hold(frozen.run, never());
    const stop = new AbortController();
    const waiting = origin.tab().hold(createWork().run, stop.signal);
    await origin.clock.advance(pingEveryMs);
    stop.abort();
    await waiting;
    await origin.clock.advance(untilStolenMs * 2);
    expect(frozen.log).toEqual(['begun']);
  });

  it('D11.3 is replaced by one tab in the end, when two begin to wait at once', async () => {
    const origin = createOrigin();
    void origin.tab({ isFrozen: true }).hold(createWork().run, never());
    const waiters = [createWork(), createWork()];
    for (const waiter of waiters) void origin.tab().hold(waiter.run, never());
    await origin.clock.advance(untilStolenMs * 3);
    expect(waiters.filter(({ log }) => log.at(-1) === 'begun')).toHaveLength(1);
  });

  it('D11.3 is replaced by one of two tabs that wait, which the other then leaves alone', async () => {
    const origin = createOrigin();
    void origin.tab({ isFrozen: true }).hold(createWork().run, never());
    const waiters = [createWork(), createWork()];
    for (const waiter of waiters) {
      void origin.tab().hold(waiter.run, never());
      await origin.clock.advance(pingEveryMs / 2);
    }
    await origin.clock.advance(untilStolenMs * 3);
    expect(waiters.map(({ log }) => log)).toEqual([['begun'], []]);
    expect(origin.stolenCount()).toBe(1);
  });
});
