import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import { deletePetJobId } from '../../../schemas/local/local-record.ts';
import { derivedId } from '../../../store/derived-id.ts';
import type { DocumentStore } from '../../../store/document-store.ts';

/** The place of an imported document on this device. */
export interface ImportTarget {
  readonly id: string;
  /**
   * The state of the id on this device.
   *
   * - `new`: the id is unused.
   * - `known`: the document exists and stays as it is.
   * - `returning`: the document was deleted here; the id is derived from its tombstone's id, and is unused.
   */
  readonly state: 'new' | 'known' | 'returning';
}

export interface TargetDeps {
  readonly uid: string;
  readonly store: Pick<DocumentStore, 'get' | 'listRecords'>;
  /** The account that made the file. */
  readonly owner: string;
}

/** The maximum number of times that the same document can have been deleted and restored. */
const returnsMax = 50;

/** The shape of the app's own ids. A file may hold any text, and the server would take a slash for a folder. */
const plainId = /^(?!__)[\w-]{1,128}$/;

/**
 * Finds the one id that each document has on this device. It is the same at every call, so a repeated import finds the
 * documents of the first one.
 *
 * - A file of this account keeps its ids; an id of another account is replaced by one derived from it and this account.
 * - A tombstone stays: a returning document gets the same id that undoing its deletion would give it.
 * - A dog whose deletion has begun counts as deleted, and so do its entries.
 */
export async function importTargets(
  { uid, owner, store }: TargetDeps,
  collection: SyncedCollection,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, ImportTarget>> {
  const targets = new Map<string, ImportTarget>();
  const leaving = await store.listRecords('delete-pet');
  const firstId = (id: string): Promise<string> | string =>
    owner === uid && plainId.test(id) ? id : derivedId(`${id} of ${owner} for ${uid}`);
  let open = await Promise.all(
    sourceIds.map(async (sourceId) => ({ sourceId, id: await firstId(sourceId), isReturn: false })),
  );
  for (let round = 0; open.length > 0 && round < returnsMax; round += 1) {
    const ids = open.map(({ id }) => id);
    const found = await store.get(collection, ids);
    const again: typeof open = [];
    for (const { sourceId, id, isReturn } of open) {
      const there = found.get(id)?.document;
      if (there?.deleted === true || leaving.has(deletePetJobId(there?.petId ?? id))) {
        again.push({ sourceId, id: await derivedId(id), isReturn: true });
      } else {
        const state = there !== undefined ? 'known' : isReturn ? 'returning' : 'new';
        targets.set(sourceId, { id, state });
      }
    }
    open = again;
  }
  return targets;
}
