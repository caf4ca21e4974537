import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fake-clock.ts';
import type { LockManagerPort } from '../connectivity/web-lock.ts';
import { databaseName } from './database.ts';
import { eraseAlone } from './erase-alone.ts';
import { hasDatabases } from './erase.ts';

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

describe('erasing alone', () => {
  it('D11.9 waits for the lock under which a worker opens', async () => {
    const uid = 'one';
    await createDatabase(databaseName(uid));
    const asked: string[] = [];
    const locks: LockManagerPort = {
      request: async (name, _, work) => {
        asked.push(name);
        expect(await hasDatabases(uid)).toBe(true);
        await work({});
      },
    };
    expect(await eraseAlone(uid, { locks, clock: createFakeClock() })).toBe('erased');
    expect(asked).toEqual(['pawpals:one']);
    expect(await hasDatabases(uid)).toBe(false);
  });

  it('D11.9 does without it when its holder works on', async () => {
    const uid = 'two';
    await createDatabase(databaseName(uid));
    const clock = createFakeClock();
    const locks: LockManagerPort = {
      request: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        }),
    };
    const erased = eraseAlone(uid, { locks, clock });
    await clock.advance(1_000);
    expect(await erased).toBe('erased');
    expect(await hasDatabases(uid)).toBe(false);
  });

  it('tells why there is no lock', async () => {
    const locks: LockManagerPort = { request: () => Promise.reject(new Error('no locks')) };
    await expect(eraseAlone('three', { locks, clock: createFakeClock() })).rejects.toThrow(
      'no locks',
    );
  });
});
