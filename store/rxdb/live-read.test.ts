import 'fake-indexeddb/auto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { newDocument } from '../../schemas/documents/document.ts';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import type { UnsentDocuments } from '../../schemas/local/unsent-items.ts';
import type { Stored, Writes } from '../document-store.ts';
import { openChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { liveRead, liveUnsentDocuments } from './live-read.ts';
import { createRxDocumentStore } from './rx-document-store.ts';
import { databaseName } from '../indexeddb/stores.ts';
import { placeOf } from './rx-storage.ts';

const pet = (id: string) =>
  newDocument({ collection: 'pets', id, ownerId: 'o', petId: null }, {}, 1);

/** A tab, and another one of the same database. */
async function openTab() {
  const uid = crypto.randomUUID();
  const openChannel = createMemoryChannels();
  const database = await openDatabase({ uid, raise: raiseStores, openChannel });
  const other = openChanges(databaseName(uid), openChannel);
  onTestFinished(async () => {
    other.close();
    await database.close();
  });
  const store = createRxDocumentStore(database);
  const add = (id: string) => store.commit({ swaps: [{ from: null, to: pet(id) }] });
  /** Writes as the other tab, which is too busy to tell of it. @returns a function that tells. */
  const writeElsewhere = async (writes: Writes): Promise<() => void> => {
    const publish = vi.spyOn(placeOf(database.local).changes, 'publish');
    publish.mockImplementationOnce(() => undefined);
    await store.commit(writes);
    const [bulks = []] = publish.mock.lastCall ?? [];
    publish.mockRestore();
    return () => other.publish(bulks);
  };
  const stored = async (id: string): Promise<Stored> => {
    const found = (await store.get('pets', [id])).get(id);
    if (found === undefined) throw new Error('not there');
    return found;
  };
  return { database, add, store, writeElsewhere, stored };
}

it('counts what another tab has written once, also if it is told of it after it was counted', async () => {
  const { database, add, writeElsewhere } = await openTab();
  const tell = await writeElsewhere({ swaps: [{ from: null, to: pet('p1') }] });
  const counts: number[] = [];
  liveUnsentDocuments(database.pets).subscribe(({ waiting }) => counts.push(waiting.count));
  await vi.waitFor(() => expect(counts).toEqual([1]));
  tell();
  await vi.waitFor(() => expect(counts).toHaveLength(2));
  await add('p2');
  await vi.waitFor(() => expect(counts.at(-1)).toBe(2));
  expect(counts).not.toContain(3);
  expect(counts[1]).toBe(1);
});

it('counts no deletion of what was never sent, until there are too many rows to read', async () => {
  const { database, store } = await openTab();
  const add = (from: number, until: number) =>
    store.commit({
      swaps: Array.from({ length: until - from }, (_, at) => ({
        from: null,
        to: { ...pet(`p${String(from + at)}`), deleted: (from + at) % 2 === 1 },
      })),
    });
  await add(0, 499);
  const found: UnsentDocuments[] = [];
  liveUnsentDocuments(database.pets).subscribe(({ waiting }) => found.push(waiting));
  await vi.waitFor(() => expect(found).toHaveLength(1));
  expect(found[0]).toMatchObject({ count: 250, hiddenCount: 249 });
  const ids = () => found.at(-1)?.rows.map(({ id }) => id);
  expect(ids()).toContain('p498');
  expect(ids()).not.toContain('p497');
  await add(499, 500);
  await add(500, 501);
  await vi.waitFor(() => expect(found.at(-1)).toMatchObject({ count: 501, hiddenCount: 0 }));
  // These are the visible ones among the first 50, in the order of ids.
  expect(ids()?.slice(0, 3)).toEqual(['p0', 'p10', 'p100']);
  expect(ids()).not.toContain('p1');
  expect(ids()).not.toContain('p498');
  expect(found.map(({ count }) => count)).not.toContain(499);
});

it('lists what another tab has written once, also if it is told of it after it was read', async () => {
  const { database, add, store, writeElsewhere, stored } = await openTab();
  const tellOfP3 = await writeElsewhere({ swaps: [{ from: null, to: pet('p3') }] });
  const tellOfP2 = await writeElsewhere({ swaps: [{ from: null, to: pet('p2') }] });
  const lists: string[][] = [];
  database.pets
    .find({ selector: { deleted: false }, sort: [{ id: 'asc' }], limit: 9 })
    .$.subscribe((pets) => lists.push(pets.map(({ id, pending }) => `${id} ${pending}`)));
  await vi.waitFor(() => expect(lists).toEqual([['p2 1', 'p3 1']]));
  tellOfP3();
  tellOfP2();
  await add('p1');
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['p1 1', 'p2 1', 'p3 1']));
  const from = await stored('p2');
  await store.commit({ swaps: [{ from, to: { ...from.document, pending: 0, seq: 1 } }] });
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['p1 1', 'p2 0', 'p3 1']));
  expect(lists.map((list) => new Set(list).size)).toEqual(lists.map((list) => list.length));
});

it('shows no older row of another tab that tells late of it', async () => {
  const { database, add, store, writeElsewhere, stored } = await openTab();
  await add('p1');
  await add('p2');
  const lists: string[][] = [];
  database.pets
    .find({ selector: { deleted: false }, sort: [{ id: 'asc' }] })
    .$.subscribe((pets) => lists.push(pets.map(({ id, seq }) => `${id} ${seq}`)));
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  const settled = async (id: string, seq: number) => {
    const from = await stored(id);
    return { from, to: { ...from.document, seq } };
  };
  const tellOfP1 = await writeElsewhere({ swaps: [await settled('p1', 1)] });
  const tellOfP2 = await writeElsewhere({ swaps: [await settled('p2', 1)] });
  await store.commit({ swaps: [await settled('p1', 2)] });
  await store.commit({ forgotten: [await stored('p2')] });
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['p1 2']));
  tellOfP1();
  tellOfP2();
  await add('p3');
  await vi.waitFor(() => expect(lists.at(-1)?.at(-1)).toMatch(/^p3/));
  expect(lists.at(-1)?.slice(0, -1)).toEqual(['p1 2']);
});

it('shows a row that another tab has removed and created again', async () => {
  const { database, add, writeElsewhere, stored } = await openTab();
  await add('p1');
  const lists: string[][] = [];
  database.pets.find().$.subscribe((pets) => lists.push(pets.map(({ id }) => id)));
  await vi.waitFor(() => expect(lists).toEqual([['p1']]));
  (await writeElsewhere({ forgotten: [await stored('p1')] }))();
  await vi.waitFor(() => expect(lists.at(-1)).toEqual([]));
  (await writeElsewhere({ swaps: [{ from: null, to: pet('p1') }] }))();
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['p1']));
});

it('shows a row that it creates again, also if another tab tells late of what it did before', async () => {
  const { database, add, writeElsewhere, stored } = await openTab();
  await add('p1');
  const lists: string[][] = [];
  database.pets.find().$.subscribe((pets) => lists.push(pets.map(({ seq }) => `seq ${seq}`)));
  await vi.waitFor(() => expect(lists).toHaveLength(1));
  const from = await stored('p1');
  const tellOfChange = await writeElsewhere({
    swaps: [{ from, to: { ...from.document, seq: 1 } }],
  });
  const tellOfRemoval = await writeElsewhere({ forgotten: [await stored('p1')] });
  await add('p1');
  tellOfChange();
  tellOfRemoval();
  await add('p2');
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['seq null', 'seq null']));
});

it('shows no row that it has removed, also if another tab tells late of its creation', async () => {
  const { database, add, store, writeElsewhere, stored } = await openTab();
  const tell = await writeElsewhere({ swaps: [{ from: null, to: pet('p1') }] });
  const lists: string[][] = [];
  database.pets.find().$.subscribe((pets) => lists.push(pets.map(({ id }) => id)));
  await vi.waitFor(() => expect(lists).toEqual([['p1']]));
  await store.commit({ forgotten: [await stored('p1')] });
  tell();
  await add('p2');
  await vi.waitFor(() => expect(lists.at(-1)).toContain('p2'));
  expect(lists.at(-1)).toEqual(['p2']);
});

it('counts no row that is in another state, or gone', async () => {
  const { database, add, store } = await openTab();
  await add('p1');
  await add('p2');
  const counts: number[] = [];
  liveUnsentDocuments(database.pets).subscribe(({ waiting }) => counts.push(waiting.count));
  await vi.waitFor(() => expect(counts.at(-1)).toBe(2));
  const from = (await store.get('pets', ['p1'])).get('p1');
  if (from === undefined) throw new Error('not there');
  await store.commit({ swaps: [{ from, to: { ...from.document, pending: 0, seq: 1 } }] });
  await vi.waitFor(() => expect(counts.at(-1)).toBe(1));
  const second = (await store.get('pets', ['p2'])).get('p2');
  if (second === undefined) throw new Error('not there');
  await store.commit({ forgotten: [second] });
  await vi.waitFor(() => expect(counts.at(-1)).toBe(0));
});

it('shows a row that the server refused, and one that is tried again, in one state at each time', async () => {
  const { database, add, store } = await openTab();
  await add('p1');
  const seen: string[] = [];
  liveUnsentDocuments(database.pets).subscribe(({ waiting, parked }) =>
    seen.push(`${String(waiting.count)} waiting, ${String(parked.count)} parked`),
  );
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  for (const pending of [2, 1] as const) {
    const from = (await store.get('pets', ['p1'])).get('p1');
    if (from === undefined) throw new Error('not there');
    await store.commit({ swaps: [{ from, to: { ...from.document, pending } }] });
    await vi.waitFor(() => expect(seen).toHaveLength(pending === 2 ? 2 : 3));
  }
  expect(seen).toEqual(['1 waiting, 0 parked', '0 waiting, 1 parked', '1 waiting, 0 parked']);
});

it('reads anew what is concerned, and when it is triggered, and tells a failure', async () => {
  const { database, add } = await openTab();
  const read = vi.fn<() => Promise<string>>(async () => 'read');
  const found: string[] = [];
  const failed = vi.fn<(error: unknown) => void>();
  const triggers = new Set<() => void>();
  liveRead(database.pets, {
    stores: ['pets'],
    isConcerned: (id) => id === 'p2',
    trigger: (onChange) => {
      triggers.add(onChange);
      return () => triggers.delete(onChange);
    },
    read,
  }).subscribe({ next: (value) => found.push(value), error: failed });
  await add('p1');
  expect(read).toHaveBeenCalledOnce();
  for (const fire of triggers) fire();
  expect(read).toHaveBeenCalledTimes(2);
  read.mockRejectedValueOnce(new Error('The disk has failed'));
  await add('p2');
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  expect(found).toEqual(['read', 'read']);
  expect(triggers.size).toBe(0);
});

it('ends when the database is closed, and no longer watches what else may change the result', async () => {
  const { database } = await openTab();
  const ended = vi.fn<() => void>();
  const stopWatching = vi.fn<() => void>();
  const watching = { stores: ['pets'], trigger: () => stopWatching, read: async () => 1 };
  const read = liveRead(database.pets, watching);
  await new Promise((resolve) => read.subscribe({ next: resolve, complete: ended }));
  expect(stopWatching).not.toHaveBeenCalled();
  await database.close();
  expect(ended).toHaveBeenCalledOnce();
  expect(stopWatching).toHaveBeenCalledOnce();
});

it('ends without an error when the database is closed, also with a read under way', async () => {
  const { database } = await openTab();
  let fail = (): void => undefined;
  const closing = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('The database is closed'));
  });
  const [failed, ended] = [vi.fn<(error: unknown) => void>(), vi.fn<() => void>()];
  liveRead(database.pets, { stores: ['pets'], read: () => closing }).subscribe({
    error: failed,
    complete: ended,
  });
  await database.close();
  fail();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  expect(failed).not.toHaveBeenCalled();
});
