import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { asDeleted, newDocument } from '../schemas/documents/document.ts';
import { feedKey } from '../schemas/documents/feed-key.ts';
import { openTestDatabase } from '../tests/support/setups/test-database.ts';
import { countEntriesBetween, oldestFeedKey } from './feed-days.ts';
import { createRxDocumentStore } from './rxdb/rx-document-store.ts';

function entry(petId: string, createdDate: number | null) {
  const id = `${petId}${String(createdDate)}`;
  const fields = { type: 'note', ...(createdDate !== null && { createdDate }) };
  return newDocument({ collection: 'entries', id, ownerId: 'o', petId }, fields, 1);
}

async function journals() {
  const database = await openTestDatabase();
  const times = [-5, 10, 19, 20, 21, 30];
  const live = ['a', 'b', 'c'].flatMap((petId) => times.map((ms) => entry(petId, ms)));
  const others = [entry('b', null), asDeleted(entry('b', 15))];
  const swaps = [...live, ...others].map((to) => ({ from: null, to }));
  await createRxDocumentStore(database).commit({ swaps });
  return database.journal_entries;
}

it('counts the entries of one journal between two instants, and finds the oldest', async () => {
  const entries = await journals();
  const stretches = [
    { fromMs: 10, untilMs: 20 },
    { fromMs: 20, untilMs: 31 },
    { fromMs: 31, untilMs: 40 },
  ];
  expect(await countEntriesBetween(entries, 'b', stretches)).toEqual([
    { count: 2, oldestKey: feedKey(10, 'b10') },
    { count: 3, oldestKey: feedKey(20, 'b20') },
    { count: 0, oldestKey: null },
  ]);
});

it('counts nothing in a stretch that is empty, nor what has no date', async () => {
  const entries = await journals();
  const stretches = [
    { fromMs: 20, untilMs: 20 },
    { fromMs: 30, untilMs: 10 },
    { fromMs: -10, untilMs: 0 },
    { fromMs: -10, untilMs: 20 },
  ];
  const found = await countEntriesBetween(entries, 'b', stretches);
  expect(found.map(({ count }) => count)).toEqual([0, 0, 0, 2]);
});

it('finds the oldest entry that has a date', async () => {
  const entries = await journals();
  expect(await oldestFeedKey(entries, 'b')).toBe(feedKey(10, 'b10'));
  expect(await oldestFeedKey(entries, 'nobody')).toBeNull();
});

it('reads no entry', async () => {
  const entries = await journals();
  const reads = [
    vi.spyOn(IDBIndex.prototype, 'getAll'),
    vi.spyOn(IDBIndex.prototype, 'openCursor'),
    vi.spyOn(IDBObjectStore.prototype, 'getAll'),
  ];
  await countEntriesBetween(entries, 'b', [{ fromMs: 1, untilMs: 100 }]);
  await oldestFeedKey(entries, 'b');
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});
