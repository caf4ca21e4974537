import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import { createAdminFirestore } from './admin-firestore.ts';

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
  const paths = (query: Parameters<typeof admin.find>[0]) => admin.find(query).map((e) => e.path);
  return { admin, paths };
}

describe('the door of the embedding process', () => {
  it('finds the documents of a collection, of a group, and by a field, in the order of paths', async () => {
    const { admin, paths } = await setUp();
    const limit = 10;
    expect(paths({ collection: 'pets', limit })).toEqual(['pets/moss', 'pets/rex']);
    expect(paths({ collection: 'pets/rex/journalEntries', limit })).toEqual([
      'pets/rex/journalEntries/1',
      'pets/rex/journalEntries/2',
    ]);
    const equals = { field: 'createdBy', value: 'alice' };
    expect(paths({ collection: 'journalEntries', isGroup: true, equals, limit })).toEqual([
      'pets/moss/journalEntries/3',
      'pets/rex/journalEntries/2',
    ]);
    expect(paths({ collection: 'journalEntries', equals, limit })).toEqual([]);
    expect(admin.find({ collection: 'pets', limit: 1 })).toEqual([
      { path: 'pets/moss', data: { ownerId: 'bob', name: 'Moss' } },
    ]);
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

  it('refuses a path that is none', async () => {
    const { admin } = await setUp();
    expect(() => admin.find({ collection: 'pets/rex', limit: 1 })).toThrow('document path');
    expect(() => admin.find({ collection: '', limit: 1 })).toThrow('segment');
  });
});
