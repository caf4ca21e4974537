import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { LimitError } from './limit-error.ts';
import { createResources } from './resources.ts';
import { createSlices, finish, type Steps } from './slices.ts';

const clientOf = (uid: string) => ({ uid, address: '192.0.2.1' });

function setUp() {
  const log: string[] = [];
  let turns = 0;
  const slices = createSlices({
    work: {
      measure(client, run) {
        log.push(`charge ${client.uid ?? ''}`);
        return run();
      },
    },
    nextTurn: async () => {
      turns++;
      log.push('turn');
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
  return { log, slices, work, turns: () => turns };
}

describe('work in slices', () => {
  it('that is short is done at once', () => {
    const { log, slices, work } = setUp();
    expect(slices.run(clientOf('alice'), work('a', 1))).toBe('a is done');
    expect(log).toEqual(['a1', 'end of a']);
  });

  it('lets the event loop turn before each of its later slices, which are charged', async () => {
    const { log, slices, work } = setUp();
    expect(await slices.run(clientOf('alice'), work('a', 3))).toBe('a is done');
    expect(log).toEqual([
      'a1',
      'turn',
      'charge alice',
      'a2',
      'turn',
      'charge alice',
      'a3',
      'end of a',
    ]);
  });

  it('of several owners takes turns, however much one of them has, and one slice is done a turn', async () => {
    const { log, slices, work, turns } = setUp();
    const alice = ['a', 'b', 'c'].map((name) => slices.run(clientOf('alice'), work(name, 3)));
    await Promise.all([...alice, slices.run(clientOf('bob'), work('x', 3))]);
    const later = log.filter((each) => /^[a-z][23]$/.test(each));
    expect(later.indexOf('x2')).toBeLessThanOrEqual(2);
    expect(later.indexOf('x3')).toBeLessThanOrEqual(5);
    expect(turns()).toBe(later.length);
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

  it('that is stopped is refused in its next slice, and cleans up', async () => {
    const { log, slices, work } = setUp();
    const running = slices.run(clientOf('alice'), work('a', 3));
    slices.stop();
    await expect(running).rejects.toThrow(LimitError);
    expect(log).toEqual(['a1', 'turn', 'end of a']);
  });

  it('can be done as a whole', () => {
    expect(finish(setUp().work('a', 3))).toBe('a is done');
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
