import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { lockName } from './lock-name.ts';
import { createPageLocks } from './page-locks.ts';
import type { LockManagerPort } from './web-lock.ts';
import { databaseName } from '../../store/indexeddb/stores.ts';
import { queueErasure } from './erase-under-lock.ts';
import { hasDatabase } from '../../store/erase.ts';

function createDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.addEventListener('success', () => {
      request.result.close();
      resolve();
    });
    request.addEventListener('error', () => reject(request.error ?? new Error('not opened')));
  });
}

const isStillNoted = () => true;

describe('erasing alone', () => {
  it('D11.9 waits for the lock under which a worker opens', async () => {
    const uid = 'one';
    await createDatabase(databaseName(uid));
    const asked: string[] = [];
    const locks: LockManagerPort = {
      request: async (name, _, work) => {
        asked.push(name);
        expect(await hasDatabase(uid)).toBe(true);
        await work({});
      },
    };
    expect(await queueErasure(uid, { locks, clock: createFakeClock(), isStillNoted })()).toBe(
      'erased',
    );
    expect(asked).toEqual(['pawpals:one']);
    expect(await hasDatabase(uid)).toBe(false);
  });

  it('D11.9 takes the lock from a holder that works on, and is thereby stopped', async () => {
    const uid = 'two';
    await createDatabase(databaseName(uid));
    const clock = createFakeClock();
    const locks = createPageLocks();
    const never = new Promise<void>(() => undefined);
    const holding = Promise.allSettled([locks.request(lockName(uid), {}, () => never)]);
    const erased = queueErasure(uid, { locks, clock, isStillNoted })();
    await clock.advance(1_000);
    expect(await holding).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }]);
    expect(await erased).toBe('erased');
    expect(await hasDatabase(uid)).toBe(false);
  });

  it('tells why there is no lock', async () => {
    const locks: LockManagerPort = { request: () => Promise.reject(new Error('no locks')) };
    const erase = queueErasure('three', { locks, clock: createFakeClock(), isStillNoted });
    await expect(erase()).rejects.toThrow('no locks');
  });

  it('D11.9 is queued before a worker that comes while the page releases the lock', async () => {
    const uid = 'four';
    await createDatabase(databaseName(uid));
    const locks = createPageLocks();
    let letGo = (): void => undefined;
    const page = new Promise<void>((resolve) => (letGo = resolve));
    const holding = locks.request(lockName(uid), {}, () => page);
    const erase = queueErasure(uid, { locks, clock: createFakeClock(), isStillNoted });
    letGo();
    await holding;
    const found: unknown[] = [];
    await locks.request(lockName(uid), { ifAvailable: true }, async (lock) => {
      found.push(lock);
    });
    expect(found).toEqual([null]);
    expect(await erase()).toBe('erased');
  });

  it('D11.9 erases nothing if another tab has finished it while it waited for the lock', async () => {
    const uid = 'five';
    await createDatabase(databaseName(uid));
    const locks = createPageLocks();
    let isNoted = true;
    const clock = createFakeClock();
    const erase = queueErasure(uid, { locks, clock, isStillNoted: () => isNoted });
    isNoted = false;
    expect(await erase()).toBe('called-off');
    expect(await hasDatabase(uid)).toBe(true);
  });
});
