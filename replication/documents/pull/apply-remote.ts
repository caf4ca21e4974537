import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { removalsOf } from '../../../schemas/local/remove-file.ts';
import {
  changeDocuments,
  type ChangedTogether,
  type Target,
} from '../../../store/change-documents.ts';
import type { RemoteDocument } from '../../ports.ts';
import type { SyncContext } from '../sync-context.ts';

/**
 * Returns the removal of a file that was uploaded to a document that this device had already deleted, before the server
 * learned of the deletion.
 */
function lateFile(stored: LocalDocument | null, remote: RemoteDocument, merged: LocalDocument) {
  const isOverruled = stored?.deleted === true && merged.deleted && !remote.deleted;
  return isOverruled ? removalsOf(remote) : [];
}

export interface RemotePage
  extends Pick<Target, 'collection' | 'read'>, Pick<ChangedTogether, 'also'> {
  readonly remotes: readonly RemoteDocument[];
}

/** Merges the server's documents into this device's copies, in one commit. */
export async function applyRemote(
  { store, rules, serverClock }: Pick<SyncContext, 'store' | 'rules' | 'serverClock'>,
  { collection, remotes, read, also }: RemotePage,
): Promise<void> {
  const remoteById = new Map(remotes.map((remote) => [remote.id, remote]));
  const ids = [...remoteById.keys()];
  const change = (stored: LocalDocument | null, id: string) => {
    const remote = remoteById.get(id);
    if (remote === undefined) return null;
    const merged = rules.merge(stored, remote, serverClock.now());
    return { ...merged, records: lateFile(stored, remote, merged.document) };
  };
  const target = { collection, ids, ...(read && { read }) };
  await changeDocuments(store, { targets: [target], ...(also && { also }) }, change);
}
