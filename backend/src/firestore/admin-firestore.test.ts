import { describe, expect, it } from 'vitest';
import { createSliceClock } from '../../tests/support/fakes/slice-clock.ts';
import { createMemoryStore, type MemoryStore } from '../../tests/support/fakes/memory-store.ts';
import { int, query as decoded, where } from '../../tests/support/firestore-json.ts';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import { createAdminFirestore } from './admin-firestore.ts';

/** A store that counts the keys in the ranges that are read. */
function createCountingStore() {
  const store = createMemoryStore();
  let keys = 0;
  const counting = <Store extends Pick<MemoryStore, 'range'>>(counted: Store): Store => ({
    ...counted,
    range(range) {
      const entries = [...counted.range(range)];
      keys += entries.length;
      return entries;
    },
  });
  const counted = { ...counting(store), snapshot: () => counting(store.snapshot()) };
  return { store: counted, readKeys: () => keys };
}

async function setUp() {
  const { database } = await openTestDatabase({ policy: () => false });
  const admin = createAdminFirestore(database);
  await admin.commit([
    { set: 'pets/rex', data: { ownerId: 'alice', name: 'Rex' } },
    { set: 'pets/moss', data: { ownerId: 'bob', name: 'Moss' } },
    { set: 'pets/rex/journalEntries/2', data: { createdBy: 'alice' } },
    { set: 'pets/rex/journalEntries/1', data: { createdBy: 'bob' } },
    { set: 'pets/moss/journalEntries/3', data: { createdBy: 'alice' } },
  ]);
  const paths = async (query: Parameters<typeof admin.find>[0]) =>
    (await admin.find(query)).map((e) => e.path);
  return { admin, paths };
}

describe('the door of the embedding process', () => {
  it('finds the documents of a collection, of a group, and by a field, in the order of paths', async () => {
    const { admin, paths } = await setUp();
    const limit = 10;
    expect(await paths({ collection: 'pets', limit })).toEqual(['pets/moss', 'pets/rex']);
    expect(await paths({ collection: 'pets/rex/journalEntries', limit })).toEqual([
      'pets/rex/journalEntries/1',
      'pets/rex/journalEntries/2',
    ]);
    const equals = { field: 'createdBy', value: 'alice' };
    expect(await paths({ collection: 'journalEntries', isGroup: true, equals, limit })).toEqual([
      'pets/moss/journalEntries/3',
      'pets/rex/journalEntries/2',
    ]);
    expect(await paths({ collection: 'journalEntries', equals, limit })).toEqual([]);
    expect(await admin.find({ collection: 'pets', limit: 1 })).toEqual([
      { path: 'pets/moss', data: { ownerId: 'bob', name: 'Moss' } },
    ]);
  });

  it('finds the documents after one, which need not be there', async () => {
    const { paths } = await setUp();
    const from = (after: string) => paths({ collection: 'pets', limit: 10, after });
    expect(await from('pets/moss')).toEqual(['pets/rex']);
    expect(await from('pets/n')).toEqual(['pets/rex']);
    expect(await from('pets/rex')).toEqual([]);
  });

  it('a merge leaves the other fields, and makes a document that is not there', async () => {
    const { admin } = await setUp();
    const data = { 'a.b': 1, name: 'Rexy' };
    await admin.commit([
      { merge: 'pets/rex', data },
      { merge: 'pets/new', data },
    ]);
    expect(admin.get('pets/rex')).toEqual({ ownerId: 'alice', ...data });
    expect(admin.get('pets/new')).toEqual(data);
  });

  it('reads only the documents that it finds, from an index', async () => {
    const { store, readKeys } = createCountingStore();
    const indexed = [decoded('pets', { where: where('n', 'EQUAL', int(0)) })];
    const { database } = await openTestDatabase({ store, indexed });
    const admin = createAdminFirestore(database);
    await admin.commit(
      Array.from({ length: 400 }, (_, at) => ({ set: `pets/${at}`, data: { n: at } })),
    );
    const find = (value: number) =>
      admin.find({ collection: 'pets', equals: { field: 'n', value }, limit: Infinity });
    const before = readKeys();
    expect(await find(7)).toEqual([{ path: 'pets/7', data: { n: 7 } }]);
    expect(readKeys() - before).toBe(1);
  });

  it('streams documents with no more than a slice of them in memory', async () => {
    const { database } = await openTestDatabase({ clock: createSliceClock(24) });
    let read = 0;
    const counting: typeof database = {
      ...database,
      read: (caller, query, take) =>
        database.read(caller, query, (...found) => {
          read++;
          take(...found);
        }),
    };
    const admin = createAdminFirestore(counting);
    const text = 'x'.repeat(100_000);
    const count = 100;
    await admin.commit(
      Array.from({ length: count }, (_, at) => ({ set: `pets/${at}`, data: { text } })),
    );
    let seen = 0;
    for await (const { data } of admin.stream({ collection: 'pets', limit: Infinity })) {
      expect(data).toEqual({ text });
      seen++;
      expect(read - seen).toBeLessThan(count / 2);
    }
    expect(seen).toBe(count);
  });

  it('gives others a turn before a query', async () => {
    const { paths } = await setUp();
    const order: string[] = [];
    setImmediate(() => order.push('others'));
    await paths({ collection: 'pets', limit: 10 });
    expect(order).toEqual(['others']);
  });

  it('refuses a path that is none', async () => {
    const { admin } = await setUp();
    await expect(admin.find({ collection: 'pets/rex', limit: 1 })).rejects.toThrow('document path');
    await expect(admin.find({ collection: '', limit: 1 })).rejects.toThrow('segment');
  });
});
