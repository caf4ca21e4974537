import { describe, expect, it } from 'vitest';
import { LimitError } from './limit-error.ts';
import { createTurns } from './turns.ts';

const clientOf = (uid: string) => ({ uid, address: '192.0.2.1' });
const [alice, bob, carol] = [clientOf('alice'), clientOf('bob'), clientOf('carol')];

/** Turns of an event loop that turns on `next`, with the time that each client has used. */
function setUp() {
  const log: string[] = [];
  const usedMs = new Map<string, number>();
  const refused = new Set<string>();
  const restMs = new Map<string, number>();
  const rests: (() => void)[] = [];
  const planned: (() => void)[] = [];
  const clock = { ms: 0 };
  const turns = createTurns({
    work: {
      check: ({ uid }) => {
        if (refused.has(uid ?? '')) throw new LimitError(1);
      },
      usedMs: ({ uid }) => usedMs.get(uid ?? '') ?? 0,
      restMs: ({ uid }, spentMs) => spentMs * (restMs.get(uid ?? '') ?? 0),
      measure(client, piece) {
        const uid = client.uid ?? '';
        usedMs.set(uid, (usedMs.get(uid) ?? 0) + 1);
        return piece();
      },
    },
    onNextTurn: (callback) => planned.push(callback),
    elapsedMs: () => clock.ms,
    onTimeout(callback, delayMs) {
      log.push(`rests ${delayMs}`);
      rests.push(callback);
    },
  });
  const run = async (client: typeof alice, name: string): Promise<string> =>
    turns.run(client, () => {
      log.push(name);
      return name;
    });
  const next = () => {
    for (const callback of planned.splice(0)) callback();
  };
  return { log, usedMs, refused, restMs, rests, planned, clock, turns, run, next };
}

describe('the turns of the thread', () => {
  it('run the first piece of work at once, and one more in each later turn', async () => {
    const { log, run, next, planned } = setUp();
    void run(alice, 'a1');
    const later = [run(alice, 'a2'), run(alice, 'a3')];
    expect(log).toEqual(['a1']);
    next();
    expect(log).toEqual(['a1', 'a2']);
    next();
    expect(log).toEqual(['a1', 'a2', 'a3']);
    expect(await Promise.all(later)).toEqual(['a2', 'a3']);
    next();
    expect(planned).toEqual([]);
    void run(alice, 'a4');
    expect(log.at(-1)).toBe('a4');
  });

  it('run nothing at once while others wait', () => {
    const { log, run, next } = setUp();
    void run(alice, 'a1');
    void run(alice, 'a2');
    void run(alice, 'a3');
    next();
    void run(bob, 'b1');
    expect(log).toEqual(['a1', 'a2']);
  });

  it('belong to the client that has used least, so much work of one delays the others by one piece', () => {
    const { log, usedMs, run, next } = setUp();
    usedMs.set('alice', 500);
    usedMs.set('carol', 3);
    void run(alice, 'a0');
    for (const name of ['a1', 'a2', 'a3']) void run(alice, name);
    for (const name of ['c1', 'c2']) void run(carol, name);
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) void run(bob, name);
    for (let turn = 0; turn < 10; turn++) next();
    expect(log.join(' ')).toBe('a0 b1 b2 b3 c1 b4 c2 b5 a1 a2 a3');
  });

  it('report the error of the work, at once or later', async () => {
    const { turns } = setUp();
    const fail = () => {
      throw new Error('no');
    };
    expect(() => turns.run(alice, fail)).toThrow('no');
    const { turns: others, run, next } = setUp();
    void run(alice, 'a1');
    const later = others.run(alice, fail);
    next();
    await expect(later).rejects.toThrow('no');
  });

  it('refuse what a client asks for that is over its rate when its turn comes, and run what it is owed', async () => {
    const { log, refused, turns, run, next } = setUp();
    void run(alice, 'a1');
    const asked = turns.ask(alice, () => log.push('asked'));
    const owed = turns.run(alice, () => log.push('owed'));
    refused.add('alice');
    next();
    await expect(asked).rejects.toThrow(LimitError);
    next();
    await owed;
    expect(log).toEqual(['a1', 'owed']);
  });

  it('let a client that has used much rest after each piece, at once or later, while others go on', async () => {
    const { log, restMs, rests, planned, run, next } = setUp();
    restMs.set('alice', 4);
    void run(alice, 'a1');
    next();
    const waiting = [run(alice, 'a2'), run(alice, 'a3')];
    next();
    void run(bob, 'b1');
    next();
    expect(log).toEqual(['a1', 'rests 4', 'b1']);
    expect(planned).toEqual([]);
    rests.shift()?.();
    next();
    next();
    expect(log.slice(3)).toEqual(['a2', 'rests 4']);
    restMs.clear();
    rests.shift()?.();
    next();
    expect(await Promise.all(waiting)).toEqual(['a2', 'a3']);
    next();
    void run(alice, 'a4');
    expect(log.slice(5)).toEqual(['a3', 'a4']);
  });

  it('leave turns that accept connections without work of busy clients, for ten milliseconds at most', () => {
    const { log, usedMs, clock, turns, run, next } = setUp();
    usedMs.set('alice', 101);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run(alice, name);
    next();
    turns.accepted();
    next();
    expect(log).toEqual(['a1', 'a2']);
    next();
    expect(log).toEqual(['a1', 'a2', 'a3']);
    clock.ms += 9;
    turns.accepted();
    next();
    expect(log).toHaveLength(3);
    clock.ms += 1;
    turns.accepted();
    next();
    expect(log).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('leave them without that of other clients for one millisecond', () => {
    const { log, usedMs, clock, turns, run, next } = setUp();
    usedMs.set('alice', 101);
    usedMs.set('bob', 90);
    for (const name of ['a1', 'a2']) void run(alice, name);
    next();
    for (const name of ['a3', 'a4']) void run(alice, name);
    void run(bob, 'b1');
    turns.accepted();
    next();
    turns.accepted();
    next();
    expect(log).toEqual(['a1', 'a2']);
    clock.ms += 1;
    turns.accepted();
    next();
    expect(log).toEqual(['a1', 'a2', 'b1']);
  });

  it('drop what waits for a request that is over, and refuse what comes after it', async () => {
    const { log, turns, run, next } = setUp();
    const over = new AbortController();
    const gone = { ...alice, gone: over.signal };
    void run(alice, 'a1');
    const waiting = run(gone, 'gone');
    const another = run(alice, 'a2');
    over.abort();
    await expect(waiting).rejects.toThrow(LimitError);
    expect(() => turns.run(gone, () => log.push('late'))).toThrow(LimitError);
    await expect(turns.later(gone, () => log.push('later'))).rejects.toThrow(LimitError);
    next();
    expect(await another).toBe('a2');
    next();
    next();
    expect(log).toEqual(['a1', 'a2']);
  });

  it('refuse what a client asks for while much of its work waits', async () => {
    const { turns, run, next } = setUp();
    void run(alice, 'a0');
    const waiting = Array.from({ length: 1000 }, (_, at) => run(alice, `a${at + 1}`));
    expect(() => turns.ask(alice, () => 'one more')).toThrow(LimitError);
    const others = turns.ask(bob, () => 'b1');
    for (let turn = 0; turn < 1001; turn++) next();
    expect(await others).toBe('b1');
    expect(await Promise.all(waiting)).toHaveLength(1000);
  });

  it('refuse the work of a resting client once they are stopped', async () => {
    const { restMs, turns, run, next } = setUp();
    restMs.set('alice', 4);
    void run(alice, 'a1');
    const waiting = run(alice, 'a2');
    turns.stop();
    next();
    await expect(waiting).rejects.toThrow(LimitError);
  });

  it('refuse work that comes after they are stopped, also that of a client that was resting', async () => {
    const { restMs, rests, turns, run, next } = setUp();
    restMs.set('alice', 4);
    void run(alice, 'a1');
    turns.stop();
    const waiting = run(alice, 'a2');
    rests.shift()?.();
    next();
    const lost = new Promise((resolve) => setImmediate(resolve, 'lost'));
    await expect(Promise.race([waiting, lost])).rejects.toThrow(LimitError);
  });

  it('refuse work that waits once they are stopped', async () => {
    const { log, run, next, turns } = setUp();
    void run(alice, 'a1');
    const waiting = run(alice, 'a2');
    turns.stop();
    next();
    await expect(waiting).rejects.toThrow(LimitError);
    expect(log).toEqual(['a1']);
  });
});
