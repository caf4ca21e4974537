import {
  checkpointId,
  emptyCheckpoint,
  type Checkpoint,
  type Scan,
} from '../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import type { Head } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';

/**
 * Returns the checkpoint: how far this device has read.
 *
 * - A seq is in the checkpoint only after every document up to it is stored here.
 * - Documents of one server epoch are never compared with the seqs of another.
 * - A checkpoint that is too low costs a pull; one that is too high loses documents. When in doubt it stays.
 */
export async function readCheckpoint(store: DocumentStore): Promise<Checkpoint> {
  const record = await store.readRecord(checkpointId);
  return record?.kind === 'checkpoint' ? record : emptyCheckpoint;
}

/** Returns the checkpoint, lowered to what is to be read again. */
export async function takePullAgain(store: DocumentStore): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(store);
  const requests = await store.listRecords('pull-again');
  if (requests.size === 0) return checkpoint;
  const seq = { ...checkpoint.seq };
  for (const { collection, seq: above } of requests.values()) {
    seq[collection] = Math.min(seq[collection], above);
  }
  const lower = { ...checkpoint, seq };
  const taken = [...requests.keys()].map((id) => [id, null] as const);
  await store.commit({ records: [[checkpointId, lower], ...taken] });
  return lower;
}

/** Returns the highest seq up to which a collection is stored; 0 if nothing of the epoch was read by its number. */
export function highestSeq({ seq }: Checkpoint): number {
  return Math.max(seq.pets, seq.entries);
}

/**
 * Whether the server was restored or its history restarted: its seqs say nothing about the copies on this device. A
 * pull without a head that was interrupted has seqs, but no epoch: the next one continues it.
 */
export function isDifferentEpoch(checkpoint: Checkpoint, head: Head | null): boolean {
  if ((head?.epoch ?? null) !== checkpoint.epoch) return true;
  return head !== null && isHeadBehind(checkpoint, head);
}

/**
 * Whether documents have seqs above the head: the `sync` document was deleted after a restore, or restored to another
 * time.
 */
export function isHeadBehind(checkpoint: Checkpoint, head: Head | null): boolean {
  return (head?.head ?? 0) < highestSeq(checkpoint);
}

/**
 * Returns the repaired head of such a server: above every used seq, and with a new epoch, so that all devices pull
 * again.
 */
export function repairedHead(checkpoint: Checkpoint, epoch: string): Head {
  return { head: highestSeq(checkpoint), epoch };
}

/** Whether this device has stored every commit. */
export function hasSeenAll(checkpoint: Checkpoint, head: Head | null): boolean {
  if (isDifferentEpoch(checkpoint, head)) return false;
  const { pets, entries } = checkpoint.seq;
  const last = head?.head ?? 0;
  return pets === last && entries === last;
}

/** Returns the checkpoint after a page of a collection was stored up to `seq`. */
export function afterPage(
  checkpoint: Checkpoint,
  collection: SyncedCollection,
  seq: number,
): Checkpoint {
  return { ...checkpoint, seq: { ...checkpoint.seq, [collection]: seq } };
}

/**
 * Returns the checkpoint after a scan of a whole collection: every document that was committed before it began is
 * stored.
 */
export function afterScan(
  { scan: _done, ...rest }: Checkpoint,
  { collection, head }: Scan,
): Checkpoint {
  return afterPage(rest, collection, head);
}

/** Returns the checkpoint in another epoch, where no document of the server is known yet. */
export function inHistory({ scan: _lost, ...rest }: Checkpoint, head: Head | null): Checkpoint {
  return { ...rest, epoch: head?.epoch ?? null, seq: { pets: 0, entries: 0 } };
}

/** Returns the checkpoint at the start of a pull; on a first pull it records the target, for the progress display. */
export function towards(checkpoint: Checkpoint, head: Head | null): Checkpoint {
  return checkpoint.complete ? checkpoint : { ...checkpoint, firstPullUntil: head?.head ?? 0 };
}

/**
 * Returns the checkpoint after both collections were read to the end. `headBefore` must be read before the first query.
 */
export function afterPull(
  checkpoint: Checkpoint,
  headBefore: Head | null,
  nowMs: number,
): Checkpoint {
  const last = headBefore?.head ?? 0;
  const { firstPullUntil: _reached, ...rest } = checkpoint;
  const { pets, entries } = checkpoint.seq;
  const seq = { pets: Math.max(pets, last), entries: Math.max(entries, last) };
  return { ...rest, seq, complete: true, syncedAtMs: nowMs };
}

export interface Commit {
  /** The head as the transaction read it. */
  readonly before: Head | null;
  readonly after: Head;
}

/**
 * Returns the checkpoint after this device's own commit: its copies need no pull, unless the checkpoint moved
 * meanwhile.
 */
export function afterCommit(checkpoint: Checkpoint, { before, after }: Commit): Checkpoint {
  const entered = checkpoint.epoch === null ? { ...checkpoint, epoch: after.epoch } : checkpoint;
  const last = before?.head ?? 0;
  const { pets, entries } = entered.seq;
  if (entered.epoch !== after.epoch || pets !== last || entries !== last) return entered;
  return { ...entered, seq: { pets: after.head, entries: after.head } };
}
