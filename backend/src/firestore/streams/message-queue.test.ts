import { describe, expect, it } from 'vitest';
import { createMessageQueue } from './message-queue.ts';

/** Message turns whose messages wait for `finish`, except even numbers, which are handled at once. */
function setUp() {
  const taken: unknown[] = [];
  const failures: unknown[] = [];
  const gates: { readonly open: () => void; readonly fail: (error: unknown) => void }[] = [];
  const turns = createMessageQueue({
    maxWaiting: 10,
    take(at: number) {
      taken.push(at);
      if (at % 2 === 0) return undefined;
      return new Promise((open, fail) => gates.push({ open, fail }));
    },
    fail: (error) => failures.push(error),
  });
  const send = (from: number, to: number): void => {
    for (let at = from; at <= to; at++) turns.take(at);
  };
  const finish = () => gates.shift()?.open();
  return { taken, failures, gates, turns, send, finish };
}

describe('the messages of a stream', () => {
  it('are taken at once while none waits', () => {
    const { taken, turns } = setUp();
    for (const at of [2, 4, 6]) turns.take(at);
    expect(taken).toEqual([2, 4, 6]);
  });

  it('wait for an earlier one, and are taken in order', async () => {
    const { taken, send, finish } = setUp();
    send(1, 4);
    expect(taken).toEqual([1]);
    finish();
    await expect.poll(() => taken).toEqual([1, 2, 3]);
    send(5, 5);
    expect(taken).toEqual([1, 2, 3]);
    finish();
    await expect.poll(() => taken).toEqual([1, 2, 3, 4, 5]);
  });

  it('end with the first one that fails, and with a stop', async () => {
    const failing = setUp();
    failing.send(1, 3);
    const refusal = new Error('over the rate');
    failing.gates.shift()?.fail(refusal);
    await expect.poll(() => failing.failures).toEqual([refusal]);
    expect(failing.taken).toEqual([1]);

    const stopped = setUp();
    stopped.send(1, 3);
    stopped.turns.stop();
    stopped.finish();
    stopped.send(4, 4);
    await Promise.resolve();
    expect(stopped.taken).not.toContain(2);
  });

  it('hold up later ones while many wait', async () => {
    const { turns, send, finish } = setUp();
    send(0, 10);
    expect(turns.drained()).toBeUndefined();
    send(12, 12);
    const drained = turns.drained();
    let isOver = false;
    void drained?.then(() => (isOver = true));
    for (let at = 1; at < 10; at += 2) {
      expect(isOver).toBe(false);
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await drained;
    expect(turns.drained()).toBeUndefined();
  });
});
