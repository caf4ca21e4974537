import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { storedPet } from '../../tests/support/fixtures/stored-documents.ts';
import { eraseDatabase, hasDatabase } from '../erase.ts';
import { currentLayout } from '../indexeddb/layout.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { placeOf } from './rx-storage.ts';
import { openDatabase, type PawPalsDatabase } from './database.ts';

const bramble = storedPet({ name: 'Bramble' });

const open = (uid: string, changes: Partial<Parameters<typeof openDatabase>[0]> = {}) =>
  openDatabase({ uid, raise: raiseStores, ...changes });

const petIds = async (database: PawPalsDatabase): Promise<string[]> =>
  (await database.pets.find().exec()).map(({ id }) => id);

describe('the database of an owner', () => {
  it('keeps its rows from one opening to the next, and shows them to nobody else', async () => {
    const [uid, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await open(uid);
    await first.pets.insert(bramble);
    await first.close();
    const [again, stranger] = [await open(uid), await open(other)];
    expect(await petIds(again)).toEqual(['p1']);
    expect(await petIds(stranger)).toEqual([]);
    await again.close();
    await stranger.close();
  });

  it('is open no longer after it was closed, so that it can be erased', async () => {
    const uid = crypto.randomUUID();
    const database = await open(uid);
    await database.close();
    expect(await eraseDatabase(uid)).toBe('erased');
    expect(await hasDatabase(uid)).toBe(false);
  });

  it('is not created without the code that raises it', async () => {
    const uid = crypto.randomUUID();
    await expect(open(uid, { raise: null })).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(await hasDatabase(uid)).toBe(false);
    await (await open(uid)).close();
    const existing = await open(uid, { raise: null });
    expect(await petIds(existing)).toEqual([]);
    await existing.close();
  });

  it('is opened once in a tab: a second opening fails, and leaves no connection behind', async () => {
    const uid = crypto.randomUUID();
    const database = await open(uid);
    await expect(open(uid)).rejects.toMatchObject({ code: 'DB8' });
    await database.pets.insert(bramble);
    expect(await petIds(database)).toEqual(['p1']);
    await database.close();
    expect(await eraseDatabase(uid)).toBe('erased');
  });

  it('is closed again if a collection cannot be added, so that nothing blocks its erasure', async () => {
    const uid = crypto.randomUUID();
    const pets = { ...currentLayout.collections.pets, primaryKey: 'nowhere' };
    // The test needs a schema that RxDB refuses.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const broken = pets as unknown as typeof currentLayout.collections.pets;
    const layout = {
      ...currentLayout,
      collections: { ...currentLayout.collections, pets: broken },
    };
    await (await open(uid)).close();
    await expect(open(uid, { layout })).rejects.toThrow('maxLength');
    expect(await eraseDatabase(uid)).toBe('erased');
  });
});

it('closes its stores with its last collection, and not before', async () => {
  const database = await open(crypto.randomUUID());
  const close = vi.spyOn(placeOf(database.local).database, 'close');
  await database.pets.close();
  expect(close).not.toHaveBeenCalled();
  await database.close();
  expect(close).toHaveBeenCalledOnce();
});
