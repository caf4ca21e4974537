import { describe, expect, it } from 'vitest';
import { settlePromises } from '../../tests/support/fakes/fake-clock.ts';
import { createPageLocks } from './page-locks.ts';

/** Work that holds a lock until it is told to end, and records what happens. */
function createWork(events: string[], name: string) {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    work: async (lock: object | null): Promise<void> => {
      events.push(`${name} ${lock === null ? 'without the lock' : 'begins'}`);
      if (lock === null) return;
      await held;
      events.push(`${name} ends`);
    },
  };
}

describe('a lock of this page', () => {
  it('is held by one at a time, in the order of their requests', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    const works = ['one', 'two', 'three'].map((name) => createWork(events, name));
    const requests = works.map(({ work }) => locks.request('a', {}, work));
    await settlePromises();
    expect(events).toEqual(['one begins']);
    for (const { end } of works) {
      end();
      await settlePromises();
    }
    await Promise.all(requests);
    expect(events).toEqual([
      'one begins',
      'one ends',
      'two begins',
      'two ends',
      'three begins',
      'three ends',
    ]);
  });

  it('does not exclude the holder of another name', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    void locks.request('a', {}, createWork(events, 'one').work);
    void locks.request('b', {}, createWork(events, 'other').work);
    await settlePromises();
    expect(events).toEqual(['one begins', 'other begins']);
  });

  it('is given without waiting if it is free, and refused at once if it is held', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    const one = createWork(events, 'one');
    const held = locks.request('a', { ifAvailable: true }, one.work);
    await locks.request('a', { ifAvailable: true }, createWork(events, 'two').work);
    expect(events).toEqual(['one begins', 'two without the lock']);
    one.end();
    await held;
    const three = createWork(events, 'three');
    three.end();
    await locks.request('a', { ifAvailable: true }, three.work);
    expect(events.slice(-2)).toEqual(['three begins', 'three ends']);
  });

  it('is never given to a request that comes between the end of one holder and the next one', async () => {
    for (let steps = 0; steps < 12; steps += 1) {
      const events: string[] = [];
      const locks = createPageLocks();
      const [one, two, late] = ['one', 'two', 'late'].map((name) => createWork(events, name));
      if (!one || !two || !late) throw new Error('There is no work.');
      void locks.request('a', {}, one.work);
      void locks.request('a', {}, two.work);
      one.end();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      void locks.request('a', { ifAvailable: true }, late.work);
      await settlePromises();
      expect(events.filter((event) => event.endsWith('begins'))).toEqual([
        'one begins',
        'two begins',
      ]);
    }
  });

  it('is free again after work that failed', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    const failed = locks.request('a', {}, () => Promise.reject(new Error('no')));
    const two = createWork(events, 'two');
    const waiting = locks.request('a', {}, two.work);
    await expect(failed).rejects.toThrow('no');
    two.end();
    await waiting;
    expect(events).toEqual(['two begins', 'two ends']);
  });

  it('can be stolen: the holder’s request fails, and its end frees nothing', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    const [one, thief, next] = ['one', 'thief', 'next'].map((name) => createWork(events, name));
    if (!one || !thief || !next) throw new Error('There is no work.');
    const robbed = locks.request('a', {}, one.work);
    const stolen = locks.request('a', { steal: true }, thief.work);
    const waiting = locks.request('a', {}, next.work);
    await expect(robbed).rejects.toMatchObject({ name: 'AbortError' });
    one.end();
    await settlePromises();
    expect(events).toEqual(['one begins', 'thief begins', 'one ends']);
    thief.end();
    next.end();
    await Promise.all([stolen, waiting]);
    expect(events.slice(-2)).toEqual(['next begins', 'next ends']);
  });

  it('can be stolen also if nobody holds it', async () => {
    const events: string[] = [];
    const thief = createWork(events, 'thief');
    thief.end();
    await createPageLocks().request('a', { steal: true }, thief.work);
    expect(events).toEqual(['thief begins', 'thief ends']);
  });

  it('is not given to a request that was given up, and the next one gets it', async () => {
    const events: string[] = [];
    const locks = createPageLocks();
    const [one, two, three] = ['one', 'two', 'three'].map((name) => createWork(events, name));
    if (!one || !two || !three) throw new Error('There is no work.');
    void locks.request('a', {}, one.work);
    const controller = new AbortController();
    const { signal } = controller;
    const givenUp = locks.request('a', { signal }, two.work);
    const waiting = locks.request('a', {}, three.work);
    controller.abort();
    await expect(givenUp).rejects.toMatchObject({ name: 'AbortError' });
    await expect(locks.request('a', { signal }, two.work)).rejects.toMatchObject({
      name: 'AbortError',
    });
    one.end();
    three.end();
    await waiting;
    expect(events).toEqual(['one begins', 'one ends', 'three begins', 'three ends']);
  });
});
