import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { currentLayout, type Layout } from './layout.ts';
import { raiseStores } from './raise-stores.ts';
import { databaseName, isThere, openStores, type RaiseStores } from './stores.ts';

const nextLayout: Layout = { ...currentLayout, upgrades: [async () => undefined] };

function newName(): string {
  return databaseName(crypto.randomUUID());
}

it('makes a database once, and opens it as it is from then on', async () => {
  const name = newName();
  const raise = vi.fn<RaiseStores>(raiseStores);
  for (let start = 0; start < 2; start += 1) {
    const database = await openStores(name, currentLayout, raise);
    expect([...database.objectStoreNames]).toContain('journal_entries');
    database.close();
  }
  expect(raise).toHaveBeenCalledTimes(1);
});

it('makes nothing of what is not there if nobody may raise it, nor raises what is old', async () => {
  const name = newName();
  const refused = { name: 'NotFoundError' };
  await expect(openStores(name, currentLayout, null)).rejects.toMatchObject(refused);
  expect(await isThere(name)).toBe(false);
  (await openStores(name, currentLayout, raiseStores)).close();
  await expect(openStores(name, nextLayout, null)).rejects.toMatchObject(refused);
  (await openStores(name, currentLayout, null)).close();
});

it('leaves nothing behind of a database that could not be made', async () => {
  const name = newName();
  const raise = vi.fn<RaiseStores>().mockRejectedValueOnce(new Error('The code did not come'));
  await expect(openStores(name, currentLayout, raise)).rejects.toThrow('did not come');
  expect(await isThere(name)).toBe(false);
  (await openStores(name, currentLayout, raiseStores)).close();
});

it('closes a database that is erased, and does not open it again', async () => {
  const name = newName();
  const database = await openStores(name, currentLayout, raiseStores);
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('blocked', () => reject(new Error('blocked')));
  });
  expect(() => database.transaction('pets')).toThrow(DOMException);
  expect(await isThere(name)).toBe(false);
});

it('refuses a database that a newer version of the app has raised', async () => {
  const name = newName();
  (await openStores(name, nextLayout, raiseStores)).close();
  await expect(openStores(name, currentLayout, raiseStores)).rejects.toMatchObject({
    name: 'VersionError',
  });
});

it('raises an old database, and keeps what is in it', async () => {
  const name = newName();
  const old = await openStores(name, currentLayout, raiseStores);
  const written = old.transaction('pets', 'readwrite');
  written.objectStore('pets').put({ id: 'p1' });
  await new Promise((resolve) => written.addEventListener('complete', resolve));
  old.close();
  const raised = await openStores(name, nextLayout, raiseStores);
  expect(raised.version).toBe(old.version + 10);
  const request = raised.transaction('pets').objectStore('pets').getAllKeys();
  await new Promise((resolve) => request.addEventListener('success', resolve));
  expect(request.result).toEqual(['p1']);
  raised.close();
});

it('knows what is there, also in a browser that cannot list its databases, and makes nothing', async () => {
  const name = newName();
  const check = async (): Promise<boolean[]> => {
    const listed = await isThere(name);
    vi.stubGlobal('indexedDB', Object.create(indexedDB, { databases: { value: undefined } }));
    const opened = await isThere(name);
    vi.unstubAllGlobals();
    return [listed, opened, await isThere(name)];
  };
  expect(await check()).toEqual([false, false, false]);
  (await openStores(name, currentLayout, raiseStores)).close();
  expect(await check()).toEqual([true, true, true]);
  (await openStores(name, currentLayout, null)).close();
});

describe('the name of an owner’s database', () => {
  it('has lower-case letters, digits and underscores, as RxDB wants', () => {
    fc.assert(
      fc.property(fc.string(), (uid) => {
        expect(databaseName(uid)).toMatch(/^pawpals-[a-z0-9_]*-[a-z0-9]+$/);
        expect(databaseName(uid)).toBe(databaseName(uid));
      }),
      fuzzSeed,
    );
  });

  it('tells owners apart whose uids differ only in what a name cannot have', () => {
    const uids = ['Ab', 'aB', 'ab', 'a-', 'a_', 'a.', 'é', 'è', ''];
    expect(new Set(uids.map(databaseName)).size).toBe(uids.length);
  });

  it('stays the same in every version, since a database is found by it', () => {
    expect(databaseName('fLx3Qw9')).toBe('pawpals-flx3qw9-2acsnd');
  });
});
