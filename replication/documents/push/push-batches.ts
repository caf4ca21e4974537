import { commitMaxPets } from '../../../schemas/limits.ts';
import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import { refKey } from '../../ports.ts';
import type { DocumentStore, Stored } from '../../../store/document-store.ts';
import { pagesOf } from '../../../store/indexeddb/pages.ts';

/** The number of pending documents that are read at a time. */
const pageSize = 100;

/**
 * The pending documents of a collection. A cursor skips documents that cannot be pushed now, so that they do not block
 * the others.
 */
async function* waiting(
  store: DocumentStore,
  collection: SyncedCollection,
): AsyncGenerator<Stored> {
  for await (const page of pagesOf((at) => store.listPending(collection, 1, at), pageSize)) {
    yield* page;
  }
}

/** Yields live pets first, since entries need them, and deleted pets last, since their entries are deleted first. */
export async function* waitingInOrder(store: DocumentStore): AsyncGenerator<Stored> {
  for await (const pet of waiting(store, 'pets')) if (!pet.document.deleted) yield pet;
  yield* waiting(store, 'entries');
  for await (const pet of waiting(store, 'pets')) if (pet.document.deleted) yield pet;
}

/**
 * Groups documents into batches of one commit. A pet that is deleted during the read occurs twice, live and deleted.
 * The server's result for one must not be taken for the other, so they are in two commits. @param maxDocuments may
 * change between batches.
 */
export async function* inBatches(
  waitingDocuments: AsyncIterable<Stored>,
  maxDocuments: () => number,
): AsyncGenerator<readonly Stored[]> {
  let batch = new Map<string, Stored>();
  let petIds = new Set<string>();
  for await (const stored of waitingDocuments) {
    const petId = stored.document.petId ?? stored.document.id;
    const isOver = !petIds.has(petId) && petIds.size === commitMaxPets;
    const key = refKey(stored.document);
    if (isOver || batch.has(key) || batch.size >= maxDocuments()) {
      yield [...batch.values()];
      batch = new Map();
      petIds = new Set();
    }
    batch.set(key, stored);
    petIds.add(petId);
  }
  if (batch.size > 0) yield [...batch.values()];
}
