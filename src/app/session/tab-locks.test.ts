import { expect, it } from 'vitest';
import { settlePromises } from '../../../tests/support/fakes/fake-clock.ts';
import { locks, sessionLocks } from './tab-locks.ts';

it('without Web Locks a tab gets its own lock, and waits for it while it is held here', async () => {
  const done: string[] = [];
  const held = locks.request('a', {}, async () => {
    await settlePromises();
    done.push('first');
  });
  const waiting = locks.request('a', {}, async () => void done.push('second'));
  await Promise.all([held, waiting]);
  expect(done).toEqual(['first', 'second']);
});

it('without Web Locks no session of another tab is taken for ended', async () => {
  const found: unknown[] = [];
  const work = async (lock: unknown) => void found.push(lock);
  await sessionLocks.request('session', { mode: 'shared' }, work);
  await sessionLocks.request('session', { ifAvailable: true }, work);
  expect(found).toEqual([{ name: 'session' }, null]);
});
