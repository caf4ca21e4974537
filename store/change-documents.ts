import type { LocalDocument } from '../schemas/documents/document.ts';
import type { ConflictVersion } from '../schemas/local/local-record.ts';
import { versionRecord } from '../schemas/local/conflict-version.ts';
import type { SyncedCollection } from '../schemas/documents/sync-state.ts';
import {
  isNothing,
  together,
  type DocumentStore,
  type RecordWrite,
  type Stored,
  type Swap,
  type Writes,
} from './document-store.ts';

export interface Change {
  readonly document: LocalDocument;
  /** The conflict versions that the change produces. */
  readonly versions?: readonly ConflictVersion[];
  /** Jobs that the change creates or ends. */
  readonly records?: readonly RecordWrite[];
}

/** Computes the change of one document from its stored state; null or the same object leaves it unchanged. */
export type Changer = (stored: LocalDocument | null, id: string) => Change | null;

export interface Target {
  readonly collection: SyncedCollection;
  readonly ids: readonly string[];
  /** The documents as the caller has read them. If one is stale, the first attempt fails, and all are read again. */
  readonly read?: ReadonlyMap<string, Stored>;
}

export interface ChangedTogether {
  readonly targets: readonly Target[];
  readonly also?: (swaps: readonly Swap[]) => Promise<Omit<Writes, 'swaps'>>;
}

/**
 * Plans writes from the stored state and commits them by compare-and-set; retries while others write in between.
 * @param plan null if there is nothing to do.
 */
export async function commitPlanned(
  store: Pick<DocumentStore, 'commit'>,
  plan: () => Promise<Writes | null>,
): Promise<void> {
  for (;;) {
    const writes = await plan();
    if (writes === null || (await store.commit(writes))) return;
  }
}

function planned(stored: Stored | undefined, id: string, change: Changer): Writes {
  const from = stored ?? null;
  const changed = change(from?.document ?? null, id);
  if (changed === null || changed.document === from?.document) return {};
  const versions = (changed.versions ?? []).map(versionRecord);
  const records = [...versions, ...(changed.records ?? [])];
  return { swaps: [{ from, to: changed.document }], records };
}

/**
 * Changes documents by compare-and-set, with further writes in the same commit: if a document was written meanwhile,
 * all are read and changed again.
 * @param also further writes of the same commit, even if no document changes; called before each attempt, with its
 * swaps.
 * @returns the number of documents that were changed.
 */
export async function changeDocuments(
  store: Pick<DocumentStore, 'get' | 'commit'>,
  { targets, also = async () => ({}) }: ChangedTogether,
  change: Changer,
): Promise<number> {
  let isFirst = true;
  let count = 0;
  const plan = async ({ collection, ids, read }: Target): Promise<readonly Writes[]> => {
    const stored = isFirst && read ? read : await store.get(collection, ids);
    return ids.map((id) => planned(stored.get(id), id, change));
  };
  await commitPlanned(store, async () => {
    const own = together(...(await Promise.all(targets.map(plan))).flat());
    isFirst = false;
    count = own.swaps.length;
    const writes = together(own, await also(own.swaps));
    return isNothing(writes) ? null : writes;
  });
  return count;
}

export async function writeRecord(
  store: Pick<DocumentStore, 'commit'>,
  ...record: RecordWrite
): Promise<void> {
  await store.commit({ records: [record] });
}
