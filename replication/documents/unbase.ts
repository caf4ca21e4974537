import type { LocalDocument } from '../../schemas/document.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import { changeDocuments } from './compare-and-set.ts';
import type { SyncContext } from './sync-context.ts';

const pageSize = 200;

/**
 * A copy that no longer knows what the server has: it waits to be merged with whatever is there, and is pushed if the
 * server lost it. A copy that this client could not read is kept, but never pushed.
 */
export function unbased(stored: LocalDocument): LocalDocument {
  const isReadOnly = stored.pending === 0 && stored.code === 'newer-schema';
  const pending = stored.pending === 0 && !isReadOnly ? 1 : stored.pending;
  const isUnbased = stored.seq === null && stored.base === null && stored.pending === pending;
  return isUnbased ? stored : { ...stored, pending, seq: null, base: null };
}

async function unbaseCollection(context: SyncContext, collection: SyncedCollection): Promise<void> {
  let afterId = '';
  for (;;) {
    const page = await context.store.listAll(collection, { afterId, limit: pageSize });
    const ids = page.map(({ document }) => document.id);
    await changeDocuments(context.store, { collection, ids }, (stored) =>
      stored ? { document: context.rules.unbased(stored) } : null,
    );
    const last = ids.at(-1);
    if (last === undefined || page.length < pageSize) return;
    afterId = last;
  }
}

/** Unbases every copy. Safe to be cut short at any point and begun anew. */
export async function unbaseAll(context: SyncContext): Promise<void> {
  await unbaseCollection(context, 'pets');
  await unbaseCollection(context, 'entries');
}
