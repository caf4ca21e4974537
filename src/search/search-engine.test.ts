import 'fake-indexeddb/auto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  asDeleted,
  newDocument,
  withEdit,
  type LocalDocument,
} from '../../schemas/documents/document.ts';
import { openDatabase } from '../../store/rxdb/database.ts';
import { currentLayout } from '../../store/indexeddb/layout.ts';
import { raiseStores } from '../../store/indexeddb/raise-stores.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import { openSearchStore, type SearchStore } from '../../store/search-store.ts';
import { databaseName, versionOf } from '../../store/indexeddb/stores.ts';
import { createSearchEngine } from './search-engine.ts';

function note(id: string, text: string): LocalDocument {
  const identity = { collection: 'entries', id, ownerId: 'o', petId: 'p' } as const;
  return newDocument(identity, { createdDate: 1, type: 'note', text }, 1);
}

async function openJournal() {
  const uid = crypto.randomUUID();
  const database = await openDatabase({ uid, raise: raiseStores });
  const store = createRxDocumentStore(database);
  const search = () => openSearchStore(databaseName(uid), versionOf(currentLayout));
  onTestFinished(async () => {
    await database.close();
  });
  return { store, search };
}

const words = (text: string) => ({ words: text, petId: null, type: null, pets: [], limit: 2 });

describe('a search through a journal', () => {
  it('says how far it has read, and hands out the newest hits with their number', async () => {
    const { store, search } = await openJournal();
    const notes = Array.from({ length: 1_200 }, (_, index) => note(`e${index}`, `hare ${index}`));
    await store.commit({ swaps: notes.map((to) => ({ from: null, to })) });
    const engine = await createSearchEngine(await search());
    expect((await engine.find(words('hare'))).count).toBe(0);
    const parts: number[] = [];
    await engine.refresh((part) => parts.push(part));
    expect(parts).toEqual([500 / 1_200, 1_000 / 1_200, 0.99, 1]);
    const { hits, count } = await engine.find(words('hare'));
    expect([hits.length, count]).toEqual([2, 1_200]);
    expect((await engine.find(words('1199'))).hits).toMatchObject([
      { id: 'e1199', petId: 'p', type: 'note', text: 'hare 1199' },
    ]);
  });

  it('hands out the state of a transcript', async () => {
    const { store, search } = await openJournal();
    const identity = { collection: 'entries', id: 'e1', ownerId: 'o', petId: 'p' } as const;
    const shown = { type: 'voice-note', text: '', transcript: 'none' } as const;
    const to = newDocument(identity, { createdDate: 1, ...shown }, 1);
    await store.commit({ swaps: [{ from: null, to }] });
    const engine = await createSearchEngine(await search());
    await engine.refresh(() => undefined);
    const pets = [{ id: 'p', name: 'Bramble' }];
    const { hits } = await engine.find({ ...words('bramble'), pets });
    const [feedKey] = hits.map((hit) => hit.feedKey);
    expect(hits).toEqual([{ id: 'e1', petId: 'p', feedKey, ...shown }]);
  });

  it('starts with the stored index, and applies later writes, deletions and removals', async () => {
    const { store, search } = await openJournal();
    const [first, second, third] = [note('e1', 'hare'), note('e2', 'stag'), note('e3', 'teal')];
    const all = [first, second, third].map((to) => ({ from: null, to }));
    await store.commit({ swaps: all });
    await (await createSearchEngine(await search())).refresh(() => undefined);

    const stored = await store.get('entries', ['e1', 'e2', 'e3']);
    const swapTo = (id: string, to: LocalDocument) => {
      const from = stored.get(id);
      return from === undefined ? [] : [{ from, to }];
    };
    const forgotten = stored.get('e3');
    await store.commit({
      swaps: [
        ...swapTo('e1', withEdit(first, { text: 'heron' }, 2)),
        ...swapTo('e2', asDeleted(second)),
      ],
      forgotten: forgotten === undefined ? [] : [forgotten],
    });
    const later = await createSearchEngine(await search());
    const countOf = async (text: string) => (await later.find(words(text))).count;
    expect([await countOf('hare'), await countOf('heron')]).toEqual([1, 0]);
    await later.refresh(() => undefined);
    const counts = ['hare', 'heron', 'stag', 'teal'].map(countOf);
    expect(await Promise.all(counts)).toEqual([0, 1, 0, 0]);
  });

  it('has one transaction at a time, also while it is asked and reads at once', async () => {
    const { store, search } = await openJournal();
    await store.commit({ swaps: [{ from: null, to: note('e1', 'hare') }] });
    const engine = await createSearchEngine(await search());
    await engine.refresh(() => undefined);
    await store.commit({ swaps: [{ from: null, to: note('e2', 'stag') }] });
    let inFlight = 0;
    const counts: number[] = [];
    const { prototype } = IDBDatabase;
    // Called with its database below.
    // oxlint-disable-next-line typescript/unbound-method
    const { transaction: begin } = prototype;
    const following = vi.spyOn(prototype, 'transaction').mockImplementation(function follow(
      this: IDBDatabase,
      ...args
    ) {
      const transaction = begin.apply(this, args);
      inFlight += 1;
      counts.push(inFlight);
      transaction.addEventListener('complete', () => {
        inFlight -= 1;
      });
      return transaction;
    });
    const asked = ['hare', 'hare', 'hare'].map((text) => engine.find(words(text)));
    await Promise.all([engine.refresh(() => undefined), ...asked]);
    following.mockRestore();
    expect(counts.length).toBeGreaterThan(5);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it('keeps the index only if it has changed', async () => {
    const { store, search } = await openJournal();
    await store.commit({ swaps: [{ from: null, to: note('e1', 'hare') }] });
    const opened = await search();
    const writeIndex = vi.fn<SearchStore['writeIndex']>((json) => opened.writeIndex(json));
    const engine = await createSearchEngine({ ...opened, writeIndex });
    await engine.refresh(() => undefined);
    await engine.refresh(() => undefined);
    expect(writeIndex).toHaveBeenCalledOnce();
  });

  it('has read all of it only when the index is written', async () => {
    const { store, search } = await openJournal();
    await store.commit({ swaps: [{ from: null, to: note('e1', 'hare') }] });
    const parts: number[] = [];
    const partsAtWrite: number[] = [];
    const writeIndex = async (): Promise<void> => void partsAtWrite.push(...parts);
    const engine = await createSearchEngine({ ...(await search()), writeIndex });
    await engine.refresh((part) => parts.push(part));
    expect([partsAtWrite, parts]).toEqual([[0.99], [0.99, 1]]);
  });

  it('finds all of it also if the device has no room for the index', async () => {
    const { store, search } = await openJournal();
    await store.commit({ swaps: [{ from: null, to: note('e1', 'hare') }] });
    const writeIndex = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    const engine = await createSearchEngine({ ...(await search()), writeIndex });
    const parts: number[] = [];
    await engine.refresh((part) => parts.push(part));
    expect(parts.at(-1)).toBe(1);
    expect((await engine.find(words('hare'))).count).toBe(1);
  });
});
