import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json.ts';
import { createMessageQueue } from './message-queue.ts';

/** A queue that records the messages it takes: at once as its number, later with a "+". */
function setUp(options: { takeLater?: (message: JsonObject) => Promise<void> } = {}) {
  const taken: string[] = [];
  const failures: unknown[] = [];
  const queue = createMessageQueue({
    take: ({ at }) => void taken.push(String(at)),
    takeLater: async (message) => {
      await nextTurn();
      await options.takeLater?.(message);
      taken.push(`+${String(message['at'])}`);
    },
    fail: (error) => failures.push(error),
  });
  const send = (from: number, to: number): void => {
    for (let at = from; at <= to; at++) queue.take({ at });
  };
  return { taken, failures, turns: queue, send };
}

describe('the messages of a stream', () => {
  it('are taken at once while they are few', async () => {
    const { taken, send } = setUp();
    send(1, 8);
    expect(taken).toHaveLength(8);
    await nextTurn();
    send(9, 16);
    expect(taken).toHaveLength(16);
    expect(taken.filter((each) => each.startsWith('+'))).toEqual([]);
  });

  it('are taken one per turn of the event loop after that, in order', async () => {
    const { taken, send } = setUp();
    send(1, 100);
    expect(taken).toHaveLength(8);
    await nextTurn();
    expect(taken.length).toBeLessThan(12);
    await expect.poll(() => taken.length).toBe(100);
    expect(taken.map(Number)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    expect(taken.slice(8).every((each) => each.startsWith('+'))).toBe(true);
  });

  it('are taken after those that wait already', async () => {
    const { taken, send } = setUp();
    send(1, 9);
    await nextTurn();
    send(10, 10);
    await expect.poll(() => taken.length).toBe(10);
    expect(taken.map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('end with the first one that fails, and with a stop', async () => {
    const refusal = new Error('over the rate');
    const failing = setUp({ takeLater: () => Promise.reject(refusal) });
    failing.send(1, 20);
    await expect.poll(() => failing.failures).toEqual([refusal]);
    expect(failing.taken).toHaveLength(8);

    const stopped = setUp();
    stopped.send(1, 20);
    stopped.turns.stop();
    await nextTurn();
    await nextTurn();
    expect(stopped.taken.length).toBeLessThan(10);
  });

  it('are refused above a number that waits', () => {
    const { send } = setUp();
    expect(() => send(1, 509)).toThrow('Too many messages wait on one stream.');
  });
});
