import type { LocalDocument } from '../../schemas/documents/document.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { changeDocuments } from '../../store/change-documents.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import type { SyncContext } from './sync-context.ts';

const pageSize = 200;

type IsLost = (stored: LocalDocument) => boolean;

async function resetCollection(
  context: SyncContext,
  collection: SyncedCollection,
  isLost: IsLost,
): Promise<void> {
  const { store } = context;
  for await (const page of pagesOf((at) => store.listAll(collection, at), pageSize)) {
    const ids = page.map(({ document }) => document.id);
    await changeDocuments(store, { targets: [{ collection, ids }] }, (stored) =>
      stored && isLost(stored) ? { document: context.rules.markUnsynced(stored) } : null,
    );
  }
}

async function resetWhere(context: SyncContext, isLost: IsLost): Promise<void> {
  await resetCollection(context, 'pets', isLost);
  await resetCollection(context, 'entries', isLost);
}

/** Marks every copy as unsynced. It may be interrupted and repeated at any point. */
export function resetSyncState(context: SyncContext): Promise<void> {
  return resetWhere(context, () => true);
}

/** Marks the copies that have a seq as unsynced: without a head on the server, their seqs belong to a lost history. */
export function resetNumbered(context: SyncContext): Promise<void> {
  return resetWhere(context, ({ seq }) => (seq ?? 0) > 0);
}
