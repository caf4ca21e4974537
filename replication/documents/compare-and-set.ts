import type { LocalDocument } from '../../schemas/document.ts';
import type { LocalRecord, Loser } from '../../schemas/local-record.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import type { DocumentStore, Stored, Swap } from '../../store/document-store.ts';
import { loserId } from './loser-id.ts';

export interface Change {
  readonly document: LocalDocument;
  /** Versions that the change gives up; stored before it, so that a crash keeps one too many rather than none. */
  readonly losers?: readonly Loser[];
  /** Jobs that the change makes necessary, by id; stored before it as well. */
  readonly jobs?: readonly (readonly [string, LocalRecord])[];
}

/** Computes the change of one document from what is stored now; null or the same object leaves it. */
export type Changer = (stored: LocalDocument | null, id: string) => Change | null;

export interface Target {
  readonly collection: SyncedCollection;
  readonly ids: readonly string[];
  /** What was read of them a moment ago. It may be old: what was written since is refused, and read again. */
  readonly read?: ReadonlyMap<string, Stored>;
}

interface Planned extends Swap {
  readonly records: readonly (readonly [string, LocalRecord])[];
}

function planned(stored: Stored | undefined, id: string, change: Changer): Planned[] {
  const from = stored ?? null;
  const changed = change(from?.document ?? null, id);
  if (changed === null || changed.document === from?.document) return [];
  const losers = (changed.losers ?? []).map((loser) => [loserId(loser), loser] as const);
  return [{ from, to: changed.document, records: [...losers, ...(changed.jobs ?? [])] }];
}

/**
 * Changes documents without overwriting anybody: a document that was written meanwhile is read and changed again.
 * @returns how many documents were changed.
 */
export async function changeDocuments(
  store: DocumentStore,
  target: Target,
  change: Changer,
): Promise<number> {
  let left = target;
  let changedCount = 0;
  while (left.ids.length > 0) {
    const refused = await changeOnce(store, left, change);
    changedCount += refused.written;
    left = { collection: target.collection, ids: refused.ids };
  }
  return changedCount;
}

async function changeOnce(
  store: DocumentStore,
  { collection, ids, read }: Target,
  change: Changer,
): Promise<{ readonly ids: readonly string[]; readonly written: number }> {
  const stored = read ?? (await store.get(collection, ids));
  const swaps = ids.flatMap((id) => planned(stored.get(id), id, change));
  for (const [id, record] of swaps.flatMap((swap) => swap.records)) {
    await store.writeRecord(id, record);
  }
  if (swaps.length === 0) return { ids: [], written: 0 };
  const refused = await store.swap(collection, swaps);
  return { ids: [...refused], written: swaps.length - refused.size };
}
