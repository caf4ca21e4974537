import type { Checkpoint } from '../../schemas/local/local-record.ts';
import { syncedCollections, type SyncedCollection } from '../../schemas/documents/sync-state.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import { hasSeenAll, readCheckpoint } from './checkpoint.ts';
import { readHead } from './read-head.ts';
import type { SyncContext } from './sync-context.ts';

async function sumHere(store: DocumentStore, collection: SyncedCollection): Promise<number> {
  let sum = 0;
  for await (const page of pagesOf((at) => store.listAll(collection, at))) {
    for (const { document } of page) sum += document.seq ?? 0;
  }
  return sum;
}

/**
 * Tells whether the server has lost documents, or has older states of them, although its head and epoch are those that
 * this device has seen: then the sum of its seqs is below the sum of the copies' seqs. `unknown` if the head moves
 * meanwhile.
 */
export async function compareSeqs(context: SyncContext): Promise<'whole' | 'lost' | 'unknown'> {
  const { store, remote } = context;
  let lost = 0;
  for (const collection of syncedCollections) {
    const difference = (await sumHere(store, collection)) - (await remote.sumOfSeqs(collection));
    lost = Math.max(lost, difference);
  }
  if (lost <= 0) return 'whole';
  return hasSeenAll(await readCheckpoint(store), await readHead(remote)) ? 'lost' : 'unknown';
}

/** Gives a restored server that kept its epoch a new one, so that every device notices the restore. */
export async function markRestore(
  context: SyncContext,
  { epoch: known }: Checkpoint,
): Promise<void> {
  context.log('sync-restored-server', { marked: 1 });
  const epoch = context.newId();
  await context.remote.transact([], ({ head }) => {
    const isStill = head !== null && head.epoch === known;
    return { head: isStill ? { ...head, epoch } : head, writes: [], result: null };
  });
}
