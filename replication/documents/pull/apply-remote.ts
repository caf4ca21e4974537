import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { conflictVersion, versionRecord } from '../../../schemas/local/conflict-version.ts';
import { deletePetJobId } from '../../../schemas/local/local-record.ts';
import { isUnsent, pictureJobId } from '../../../schemas/local/outbox-job.ts';
import { removalsOf } from '../../../schemas/local/remove-file.ts';
import {
  changeDocuments,
  type ChangedTogether,
  type Target,
} from '../../../store/change-documents.ts';
import { together, type RecordWrite, type Swap } from '../../../store/document-store.ts';
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

/**
 * Returns the versions of the pets that another device has deleted while a picture waited here to be sent, which only such
 * a version keeps.
 */
async function picturedVersions(
  { store, serverClock }: Pick<SyncContext, 'store' | 'serverClock'>,
  swaps: readonly Swap[],
): Promise<readonly RecordWrite[]> {
  const records: RecordWrite[] = [];
  for (const { from, to } of swaps) {
    if (to.collection !== 'pets' || !to.deleted || from?.document.deleted !== false) continue;
    const id = pictureJobId(to.id);
    const picture = await store.readRecord(id);
    // A picture that the owner chooses meanwhile fails the commit.
    records.push([id, picture, picture]);
    if (picture?.kind !== 'outbox-job' || !isUnsent(picture.job)) continue;
    // This device deletes it too.
    if ((await store.readRecord(deletePetJobId(to.id))) !== null) continue;
    const { fields, edits } = from.document;
    const lost = { fields, edits, reason: 'deleted', side: 'local' } as const;
    records.push(versionRecord(conflictVersion(to, lost, serverClock.now())));
  }
  return records;
}

export interface RemotePage
  extends Pick<Target, 'collection' | 'read'>, Pick<ChangedTogether, 'also'> {
  readonly remotes: readonly RemoteDocument[];
}

/** Merges the server's documents into this device's copies, in one commit. */
export async function applyRemote(
  context: Pick<SyncContext, 'store' | 'rules' | 'serverClock'>,
  { collection, remotes, read, also }: RemotePage,
): Promise<void> {
  const { store, rules, serverClock } = context;
  const remoteById = new Map(remotes.map((remote) => [remote.id, remote]));
  const ids = [...remoteById.keys()];
  const change = (stored: LocalDocument | null, id: string) => {
    const remote = remoteById.get(id);
    if (remote === undefined) return null;
    const merged = rules.merge(stored, remote, serverClock.now());
    return { ...merged, records: lateFile(stored, remote, merged.document) };
  };
  const target = { collection, ids, ...(read && { read }) };
  const further = async (swaps: readonly Swap[]) => {
    const records = await picturedVersions(context, swaps);
    return together({ records }, (await also?.(swaps)) ?? {});
  };
  await changeDocuments(store, { targets: [target], also: further }, change);
}
