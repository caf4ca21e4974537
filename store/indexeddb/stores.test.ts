import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { currentLayout, type Layout } from './layout.ts';
import { raiseStores } from './raise-stores.ts';
import { databaseName, openStores, type RaiseStores } from './stores.ts';

const nextLayout: Layout = { ...currentLayout, upgrades: [async () => undefined] };

function newName(): string {
  return databaseName(crypto.randomUUID());
}

async function isThere(name: string): Promise<boolean> {
  return (await indexedDB.databases()).some((database) => database.name === name);
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
