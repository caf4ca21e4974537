import 'fake-indexeddb/auto';
import { expect, it, onTestFinished } from 'vitest';
import { newDocument } from '../schemas/documents/document.ts';
import { feedKey } from '../schemas/documents/feed-key.ts';
import { openDatabase } from './rxdb/database.ts';
import { feedKeyBefore } from './feed-edge.ts';
import { raiseStores } from './indexeddb/raise-stores.ts';
import { createRxDocumentStore } from './rxdb/rx-document-store.ts';

it('steps towards the newest entry of one journal, and no further', async () => {
  const database = await openDatabase({ uid: crypto.randomUUID(), raise: raiseStores });
  onTestFinished(async () => {
    await database.close();
  });
  const entry = (petId: string, createdDate: number) => {
    const identity = { collection: 'entries', id: `${petId}${createdDate}`, ownerId: 'o' } as const;
    return newDocument({ ...identity, petId }, { createdDate, type: 'note' }, 1);
  };
  const all = [1, 2, 3, 4, 5].flatMap((ms) => [entry('a', ms), entry('b', ms), entry('c', ms)]);
  const swaps = all.map((to) => ({ from: null, to }));
  await createRxDocumentStore(database).commit({ swaps });

  const before = (ms: number, count: number) =>
    feedKeyBefore(database.journal_entries, 'b', { from: feedKey(ms, `b${ms}`), count });
  expect(await before(2, 1)).toBe(feedKey(3, 'b3'));
  expect(await before(2, 3)).toBe(feedKey(5, 'b5'));
  expect(await before(2, 4)).toBeNull();
  expect(await before(5, 1)).toBeNull();
});
