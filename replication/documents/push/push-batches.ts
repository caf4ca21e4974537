import { commitMaxPets } from '../../../schemas/limits.ts';
import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import type { DocumentStore, Stored } from '../../../store/document-store.ts';
import { pagesOf } from '../../../store/indexeddb/pages.ts';

/**
 * The pending documents of a collection. A cursor skips documents that cannot be pushed now, so that they do not block
 * the others.
 */
async function* waiting(
  store: DocumentStore,
  collection: SyncedCollection,
): AsyncGenerator<Stored> {
  for await (const page of pagesOf((at) => store.listPending(collection, 1, at))) {
    yield* page;
  }
}

/**
 * The documents of a push: all pending ones, or only the tombstones of documents that the server has. A server without
 * room accepts those.
 */
export type Pushed = 'all' | 'deletions';

/**
 * Yields live pets first, since entries need them, and deleted pets last, since their entries are deleted first. A pet
 * that is deleted meanwhile waits for the next push: the entries of its deletion may have been passed already.
 */
export async function* waitingInOrder(
  store: DocumentStore,
  pushed: Pushed = 'all',
): AsyncGenerator<Stored> {
  const isPushed = ({ document: { deleted, seq } }: Stored): boolean =>
    pushed === 'all' || (deleted && seq !== null);
  const deletedPets: Stored[] = [];
  for await (const pet of waiting(store, 'pets')) {
    if (!isPushed(pet)) continue;
    if (pet.document.deleted) deletedPets.push(pet);
    else yield pet;
  }
  for await (const entry of waiting(store, 'entries')) {
    if (isPushed(entry)) yield entry;
  }
  yield* deletedPets;
}

/** Groups documents into batches of one commit. @param maxDocuments may change between batches. */
export async function* inBatches(
  waitingDocuments: AsyncIterable<Stored>,
  maxDocuments: () => number,
): AsyncGenerator<readonly Stored[]> {
  let batch: Stored[] = [];
  let petIds = new Set<string>();
  for await (const stored of waitingDocuments) {
    const petId = stored.document.petId ?? stored.document.id;
    const isOver = !petIds.has(petId) && petIds.size === commitMaxPets;
    if (isOver || batch.length >= maxDocuments()) {
      yield batch;
      batch = [];
      petIds = new Set();
    }
    batch.push(stored);
    petIds.add(petId);
  }
  if (batch.length > 0) yield batch;
}
