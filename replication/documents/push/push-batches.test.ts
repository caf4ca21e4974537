import { expect, it } from 'vitest';
import { asDeleted } from '../../../schemas/documents/document.ts';
import { createMemoryDocumentStore } from '../../../tests/support/fakes/memory-document-store.ts';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { inBatches, waitingInOrder } from './push-batches.ts';

it('D2.17 a pet that is deleted while what waits is read goes in two commits, its deletion last', async () => {
  const memory = createMemoryDocumentStore();
  const pet = newPet('p1');
  memory.put(pet);
  memory.put(newEntry({ id: 'e1', petId: 'p1' }));
  const store: DocumentStore = {
    ...memory,
    listPending: async (collection, ...page) => {
      const found = await memory.listPending(collection, ...page);
      if (collection === 'entries') memory.put(asDeleted(pet));
      return found;
    },
  };
  const batches: (readonly [string, boolean])[][] = [];
  for await (const batch of inBatches(waitingInOrder(store), () => 100)) {
    batches.push(batch.map(({ document: { id, deleted } }) => [id, deleted] as const));
  }
  expect(batches).toEqual([
    [
      ['p1', false],
      ['e1', false],
    ],
    [['p1', true]],
  ]);
});
