import 'fake-indexeddb/auto';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { newDocument, type LocalDocument } from '../../schemas/documents/document.ts';
import { checkpointId, emptyCheckpoint } from '../../schemas/local/local-record.ts';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import { openChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { createRxDocumentStore } from './rx-document-store.ts';
import { databaseName } from '../indexeddb/stores.ts';

const pet = newDocument({ collection: 'pets', id: 'p1', ownerId: 'o', petId: null }, {}, 1);
const entry: LocalDocument = newDocument(
  { collection: 'entries', id: 'e1', ownerId: 'o', petId: 'p1' },
  { createdDate: 1, type: 'note', text: 'x' },
  1,
);
const writes = {
  swaps: [
    { from: null, to: pet },
    { from: null, to: entry },
  ],
  records: [[checkpointId, emptyCheckpoint]],
} as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A tab with live queries of three collections, and another one that receives the changes. */
async function openTabs() {
  const uid = crypto.randomUUID();
  const openChannel = createMemoryChannels();
  const database = await openDatabase({ uid, raise: raiseStores, openChannel });
  const other = openChanges(databaseName(uid), openChannel);
  onTestFinished(async () => {
    other.close();
    await database.close();
  });
  const shown = { pets: -1, entries: -1, records: -1 };
  const isShown = (expected: string) =>
    vi.waitFor(() => expect(Object.values(shown).join(' ')).toBe(expected));
  database.pets.find().$.subscribe(({ length }) => (shown.pets = length));
  database.journal_entries.find().$.subscribe(({ length }) => (shown.entries = length));
  database.local.find().$.subscribe(({ length }) => (shown.records = length));
  await isShown('0 0 0');
  /** The events that the other tab receives in each task of the event loop; an insert reaches it as an update. */
  const heard: string[][] = [];
  let isSameTask = false;
  for (const name of ['pets', 'journal_entries', 'local']) {
    other.of(name).subscribe(({ events }) => {
      if (!isSameTask) heard.push([]);
      isSameTask = true;
      queueMicrotask(() => (isSameTask = false));
      heard.at(-1)?.push(...events.map(({ operation }) => `${name} ${operation}`));
    });
  }
  return { database, other, store: createRxDocumentStore(database), isShown, heard };
}

it('tells this tab and others of all that was committed together at once', async () => {
  const { store, isShown, heard } = await openTabs();
  expect(await store.commit(writes)).toBe(true);
  await isShown('1 1 1');
  const stored = await store.get('pets', ['p1']);
  await store.commit({ forgotten: [...stored.values()], records: [[checkpointId, null]] });
  await isShown('0 1 0');
  expect(heard).toEqual([
    ['pets UPDATE', 'journal_entries UPDATE', 'local UPDATE'],
    ['pets DELETE', 'local DELETE'],
  ]);
});

it('is told of also if the database is being closed meanwhile, as by a worker that has lost its lock', async () => {
  const { database, store, heard } = await openTabs();
  const swaps = Array.from({ length: 500 }, (_, at) => ({
    from: null,
    to: { ...entry, id: `e${at}` },
  }));
  const committed = store.commit({ swaps });
  await database.close();
  expect(await committed).toBe(true);
  await vi.waitFor(() => expect(heard[0]).toHaveLength(500));
});

it('tells nobody of what was not committed', async () => {
  const { store, isShown, heard } = await openTabs();
  await store.commit({ swaps: [{ from: null, to: entry }] });
  expect(await store.commit(writes)).toBe(false);
  await store.commit({ records: [[checkpointId, emptyCheckpoint]] });
  await isShown('0 1 1');
  expect(heard).toEqual([['journal_entries UPDATE'], ['local UPDATE']]);
});

it('is shown also after the clock was set back', async () => {
  const { store, isShown } = await openTabs();
  await store.commit(writes);
  await isShown('1 1 1');
  const stored = await store.get('pets', ['p1']);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000);
  await store.commit({ forgotten: [...stored.values()] });
  await isShown('0 1 1');
  await store.commit({ swaps: [{ from: null, to: pet }] });
  await isShown('1 1 1');
  expect((await store.get('pets', ['p1'])).size).toBe(1);
});

it('is shown also if another tab has removed the row by a clock that was ahead', async () => {
  const { database, other, store, isShown } = await openTabs();
  await store.commit(writes);
  await isShown('1 1 1');
  const [row] = await database.pets.find().exec();
  const ahead = { ...row?.toJSON(true), _deleted: true, _rev: `${String(Date.now() * 200)}-x` };
  const removal = { operation: 'DELETE', documentId: 'p1', documentData: ahead } as const;
  const bulk = { id: 'x', events: [{ ...removal, previousDocumentData: ahead }] };
  await store.commit({ forgotten: [...(await store.get('pets', ['p1'])).values()] });
  other.publish([['pets', { ...bulk, checkpoint: null, context: 'another' }]]);
  await isShown('0 1 1');
  expect(await store.commit({ swaps: [{ from: null, to: pet }] })).toBe(true);
  await isShown('1 1 1');
});

it('is one strict transaction, which looks for no row that is new', async () => {
  const { store } = await openTabs();
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
  const read = vi.spyOn(IDBObjectStore.prototype, 'get');
  await store.commit(writes);
  const stores = ['pets', 'journal_entries', 'local'];
  expect(begun.mock.calls.filter(([, mode]) => mode === 'readwrite')).toEqual([
    [stores, 'readwrite', { durability: 'strict' }],
  ]);
  expect(read.mock.calls).toEqual([[checkpointId]]);
});

it('compares many rows with what is stored, also if others lie between them', async () => {
  const { store } = await openTabs();
  const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `e${at + 100}`);
  const swaps = idsOf(40).map((id) => ({ from: null, to: { ...entry, id } }));
  await store.commit({ swaps });
  for (const step of [1, 3]) {
    const ids = idsOf(40).filter((_, at) => at % step === 0);
    const stored = [...(await store.get('entries', ids)).values()];
    const edited = stored.map((from) => ({ from, to: { ...from.document, rev: 10 + step } }));
    expect(await store.commit({ swaps: edited })).toBe(true);
    expect(await store.commit({ swaps: edited })).toBe(false);
    const found = [...(await store.get('entries', ids)).values()];
    expect(found.map(({ document: { rev } }) => rev)).toEqual(ids.map(() => 10 + step));
  }
  const forgotten = [...(await store.get('entries', idsOf(20))).values()];
  expect(await store.commit({ forgotten })).toBe(true);
  expect(await store.commit({ forgotten })).toBe(false);
  expect((await store.get('entries', idsOf(40))).size).toBe(20);
});

it('needs no room for what is there already', async () => {
  const { store } = await openTabs();
  await store.commit({ swaps: [{ from: null, to: pet }] });
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(await store.commit(writes)).toBe(false);
});

it('stores nothing if one of the rows cannot be stored', async () => {
  const { store } = await openTabs();
  // A defect might pass a function, which IndexedDB cannot clone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const broken = { ...entry, fields: { text: () => undefined } } as unknown as LocalDocument;
  const swaps = [
    { from: null, to: pet },
    { from: null, to: broken },
  ];
  await expect(store.commit({ swaps })).rejects.toMatchObject({ name: 'DataCloneError' });
  expect((await store.get('pets', ['p1'])).size).toBe(0);
});
