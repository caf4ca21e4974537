import type { LocalDocument } from '../../schemas/documents/document.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { changeDocuments } from '../../store/change-documents.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import type { SyncContext } from './sync-context.ts';

const pageSize = 200;

type IsLost = (stored: LocalDocument) => boolean;

async function unbaseCollection(
  context: SyncContext,
  collection: SyncedCollection,
  isLost: IsLost,
): Promise<void> {
  const { store } = context;
  for await (const page of pagesOf((at) => store.listAll(collection, at), pageSize)) {
    const ids = page.map(({ document }) => document.id);
    await changeDocuments(store, { collection, ids }, (stored) =>
      stored && isLost(stored) ? { document: context.rules.markUnsynced(stored) } : null,
    );
  }
}

async function unbaseWhere(context: SyncContext, isLost: IsLost): Promise<void> {
  await unbaseCollection(context, 'pets', isLost);
  await unbaseCollection(context, 'entries', isLost);
}

/** Unbases every copy. Safe to be cut short at any point and begun anew. */
export function resetSyncState(context: SyncContext): Promise<void> {
  return unbaseWhere(context, () => true);
}

/** Unbases the copies that have a number: on a server that never had a head it can only be of a lost history. */
export function unbaseNumbered(context: SyncContext): Promise<void> {
  return unbaseWhere(context, ({ seq }) => (seq ?? 0) > 0);
}
