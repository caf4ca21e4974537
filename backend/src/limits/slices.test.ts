import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { createSliceClock } from '../../tests/support/fakes/slice-clock.ts';
import { createResources } from './resources.ts';
import { createSliceMeter, createSlices, finish, inSlices, type Steps } from './slices.ts';

const clientOf = (uid: string) => ({ uid, address: '192.0.2.1' });

function setUp() {
  const log: string[] = [];
  const slices = createSlices({
    async later(client, piece) {
      log.push(`turn of ${client.uid ?? ''}`);
      return piece();
    },
  });
  function* work(name: string, count: number): Steps<string> {
    try {
      for (let at = 1; at <= count; at++) {
        log.push(`${name}${at}`);
        if (at < count) yield undefined;
      }
      return `${name} is done`;
    } finally {
      log.push(`end of ${name}`);
    }
  }
  return { log, slices, work };
}

describe('a slice', () => {
  it('ends when its time is over, and has one piece of work at least', () => {
    const { pass, elapsedMs } = createSliceClock(6);
    const sizes = [0];
    const visit = (pieces: number) => {
      pass(pieces);
      sizes.push((sizes.pop() ?? 0) + 1);
    };
    for (const _ of inSlices([0, 0, 0, 0, 0, 0, 0, 5, 2, 2, 0, 100], visit, elapsedMs))
      sizes.push(0);
    expect(sizes).toEqual([6, 2, 2, 2, 0]);
  });

  it('begins when the work goes on, whatever time passes before', () => {
    const { pass, elapsedMs } = createSliceClock(6);
    const isOver = createSliceMeter(elapsedMs);
    const looks = () => Array.from({ length: 6 }, () => isOver());
    const whole = [false, false, false, false, false, true];
    expect(looks()).toEqual(whole);
    pass(1000);
    expect(isOver()).toBe(false);
    expect(looks()).toEqual(whole);
  });
});

describe('work in slices', () => {
  it('that is short is done at once', () => {
    const { log, slices, work } = setUp();
    expect(slices.run(clientOf('alice'), work('a', 1))).toBe('a is done');
    expect(log).toEqual(['a1', 'end of a']);
  });

  it('takes a turn of its client for each of its later slices', async () => {
    const { log, slices, work } = setUp();
    expect(await slices.run(clientOf('alice'), work('a', 3))).toBe('a is done');
    expect(log).toEqual(['a1', 'turn of alice', 'a2', 'turn of alice', 'a3', 'end of a']);
  });

  it('waits for a promise that it yields, and ends if that is rejected', async () => {
    const { log, slices } = setUp();
    function* waiting(promise: Promise<unknown>): Steps<string> {
      try {
        yield promise;
        return 'went on';
      } finally {
        log.push('end');
      }
    }
    expect(await slices.run(clientOf('alice'), waiting(Promise.resolve()))).toBe('went on');
    await expect(
      slices.run(clientOf('alice'), waiting(Promise.reject(new Error('no index')))),
    ).rejects.toThrow('no index');
    expect(log.filter((each) => each === 'end')).toHaveLength(2);
  });

  it('that is refused in a later slice cleans up', async () => {
    const { log, work } = setUp();
    const slices = createSlices({ later: () => Promise.reject(new Error('stopped')) });
    await expect(slices.run(clientOf('alice'), work('a', 3))).rejects.toThrow('stopped');
    expect(log).toEqual(['a1', 'end of a']);
  });

  it('that is run alone waits for earlier work of the same client, and for none of others', async () => {
    const { log, slices, work } = setUp();
    function* failing(): Steps<void> {
      yield undefined;
      throw new Error('no room');
    }
    const failed = slices.runAlone(clientOf('alice'), failing());
    const runAlone = async (uid: string, steps: Steps<string>) =>
      slices.runAlone(clientOf(uid), steps);
    const all = [
      runAlone('alice', work('a', 3)),
      runAlone('alice', work('b', 2)),
      runAlone('bob', work('c', 2)),
    ];
    await expect(failed).rejects.toThrow('no room');
    expect(await Promise.all(all)).toEqual(['a is done', 'b is done', 'c is done']);
    expect(log.indexOf('end of a')).toBeLessThan(log.indexOf('b1'));
    expect(log.indexOf('end of c')).toBeLessThan(log.indexOf('a3'));
  });

  it('can be done as a whole', () => {
    expect(finish(setUp().work('a', 3))).toBe('a is done');
  });

  it('cleans up when it is stopped while it is done as a whole', () => {
    const { log, work } = setUp();
    const stop = () => {
      throw new Error('used up');
    };
    expect(() => finish(work('a', 3), stop)).toThrow('used up');
    expect(log).toEqual(['a1', 'end of a']);
  });
});

it('the resources of a server let the event loop turn for real', async () => {
  const { slices } = createResources({ clock: createManualClock() });
  const seen: string[] = [];
  setImmediate(() => seen.push('another request'));
  function* work(): Steps<void> {
    seen.push('first');
    yield undefined;
    seen.push('second');
  }
  await slices.run(clientOf('alice'), work());
  expect(seen).toEqual(['first', 'another request', 'second']);
});
