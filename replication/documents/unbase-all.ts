import type { SyncedCollection } from '../../schemas/sync-state.ts';
import { changeDocuments } from './compare-and-set.ts';
import type { SyncContext } from './sync-context.ts';

const pageSize = 200;

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
