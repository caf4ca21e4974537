import type { LocalDocument } from '../../schemas/documents/document.ts';
import { syncedCollections } from '../../schemas/documents/sync-state.ts';
import { changeDocuments } from '../../store/change-documents.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import type { SyncContext } from './sync-context.ts';

/**
 * Marks copies as unsynced. It may be interrupted and repeated at any point.
 * @param isLost whether a copy is one of them; by default every copy.
 */
export async function resetSyncState(
  { store, rules }: SyncContext,
  isLost: (stored: LocalDocument) => boolean = () => true,
): Promise<void> {
  for (const collection of syncedCollections) {
    for await (const page of pagesOf((at) => store.listAll(collection, at))) {
      const ids = page.map(({ document }) => document.id);
      await changeDocuments(store, { targets: [{ collection, ids }] }, (stored) =>
        stored && isLost(stored) ? { document: rules.markUnsynced(stored) } : null,
      );
    }
  }
}
