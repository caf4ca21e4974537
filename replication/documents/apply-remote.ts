import type { LocalDocument } from '../../schemas/document.ts';
import { removalsOf } from '../../schemas/remove-file.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import type { RemoteDocument } from '../ports.ts';
import { changeDocuments } from './compare-and-set.ts';
import type { SyncContext } from './sync-context.ts';

/** A file that came to the server after this device had deleted its document, and before it could say so. */
function lateFile(stored: LocalDocument | null, remote: RemoteDocument, merged: LocalDocument) {
  const isOverruled = stored?.deleted === true && merged.deleted && !remote.deleted;
  return isOverruled ? removalsOf(remote) : [];
}

/** Merges documents of the server into this device's copies. @returns how many copies changed. */
export async function applyRemote(
  { store, rules, serverClock }: Pick<SyncContext, 'store' | 'rules' | 'serverClock'>,
  collection: SyncedCollection,
  remotes: readonly RemoteDocument[],
): Promise<number> {
  const remoteById = new Map(remotes.map((remote) => [remote.id, remote]));
  const target = { collection, ids: [...remoteById.keys()] };
  return changeDocuments(store, target, (stored, id) => {
    const remote = remoteById.get(id);
    if (remote === undefined) return null;
    const merged = rules.merge(stored, remote, serverClock.now());
    return { ...merged, jobs: lateFile(stored, remote, merged.document) };
  });
}
