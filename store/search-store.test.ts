import 'fake-indexeddb/auto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asDeleted } from '../schemas/documents/document.ts';
import { newEntry } from '../tests/support/fixtures/sync-documents.ts';
import { openTestDatabase } from '../tests/support/setups/test-database.ts';
import { currentLayout } from './indexeddb/layout.ts';
import { databaseName, versionOf } from './indexeddb/stores.ts';
import { createRxDocumentStore } from './rxdb/rx-document-store.ts';
import { openSearchStore, type SearchStore } from './search-store.ts';

const version = versionOf(currentLayout);

async function openWith(ids: readonly string[] = []) {
  const uid = crypto.randomUUID();
  const database = await openTestDatabase(uid);
  const store = createRxDocumentStore(database);
  const entries = ids.map((id) => newEntry({ id, petId: 'p1' }));
  await store.commit({ swaps: entries.map((to) => ({ from: null, to })) });
  const search = await openSearchStore(databaseName(uid), version);
  onTestFinished(() => search.close());
  return { database, store, search };
}

async function allPages(search: SearchStore): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const page of search.pages()) pages.push(page.map(({ id }) => id));
  return pages;
}

describe('the search’s view of the entries', () => {
  it('counts them, tombstones included', async () => {
    const { search, store } = await openWith(['e1', 'e2']);
    const from = (await store.get('entries', ['e1'])).get('e1') ?? null;
    await store.commit({ swaps: [{ from, to: asDeleted(newEntry({ id: 'e1', petId: 'p1' })) }] });
    expect(await search.countEntries()).toBe(2);
    const [deleted] = await search.entries(['e1']);
    expect(deleted).toMatchObject({ id: 'e1', deleted: true });
    expect(deleted).not.toHaveProperty('text');
  });

  it('reads entries by id, in the order asked for, and skips those that are not there', async () => {
    const { search } = await openWith(['e1', 'e2', 'e3']);
    const found = await search.entries(['e3', 'nowhere', 'e1']);
    expect(found.map(({ id, text }) => [id, text])).toEqual([
      ['e3', 'text of e3'],
      ['e1', 'text of e1'],
    ]);
    expect(await search.entries([])).toEqual([]);
  });

  it('reads them in pages, in order of id, each once', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `e${String(index).padStart(4, '0')}`);
    const { search } = await openWith(ids.toReversed());
    const pages = await allPages(search);
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(pages.flat()).toEqual(ids);
  });

  it('ends after a last page that is full', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `e${String(index).padStart(4, '0')}`);
    const { search } = await openWith(ids);
    expect((await allPages(search)).flat()).toEqual(ids);
  });

  it('has one empty page of an empty journal', async () => {
    const { search } = await openWith();
    expect(await allPages(search)).toEqual([[]]);
  });

  it('does not see an entry that RxDB has removed without a tombstone', async () => {
    const { search, store } = await openWith(['e1', 'e2']);
    const forgotten = [...(await store.get('entries', ['e1'])).values()];
    await store.commit({ forgotten });
    expect(await allPages(search)).toEqual([['e2']]);
    expect(await search.entries(['e1'])).toEqual([]);
  });
});

describe('the stored index', () => {
  it('is null before it is written, and then what was written last', async () => {
    const { search } = await openWith();
    expect(await search.readIndex()).toBeNull();
    await search.writeIndex('one');
    await search.writeIndex('two');
    expect(await search.readIndex()).toBe('two');
  });

  it('is read after the writes that were asked for before', async () => {
    const { search } = await openWith();
    const written = search.writeIndex('one');
    const read = search.readIndex();
    await written;
    expect(await read).toBe('one');
  });
});

describe('a search', () => {
  it('goes on after a request that failed', async () => {
    const { search } = await openWith(['e1']);
    const invalid: unknown = {};
    // IndexedDB refuses a key that is an object.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await expect(search.entries([invalid as string])).rejects.toThrow(DOMException);
    expect(await search.countEntries()).toBe(1);
  });

  it('of an owner without a database on this device is an error, and creates none', async () => {
    const name = databaseName(crypto.randomUUID());
    const refused = { name: 'NotFoundError' };
    await expect(openSearchStore(name, version)).rejects.toMatchObject(refused);
    expect((await indexedDB.databases()).some((database) => database.name === name)).toBe(false);
  });
});
