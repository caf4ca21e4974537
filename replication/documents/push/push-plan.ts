import { newerSchemaCode, type LocalDocument } from '../../../schemas/documents/document.ts';
import type { Checkpoint } from '../../../schemas/local/local-record.ts';
import type { RemoteDocument, RemoteWrite, TransactionPlan, TransactionView } from '../../ports.ts';
import { refKey } from '../../ports.ts';
import { hasSeenAll, type Commit } from '../checkpoint.ts';
import { sameFields } from '../merge/content.ts';

export interface PushBatch {
  readonly documents: readonly LocalDocument[];
  /** This device's copies of the pets of the batch's entries, by id. */
  readonly pets: ReadonlyMap<string, LocalDocument>;
  readonly checkpoint: Checkpoint;
  /** The epoch to set if the server has none yet. */
  readonly newEpoch: string;
}

/**
 * - `write`: committed with `seq`.
 * - `conflict`: the server has another state without a seq; merge it and retry.
 * - `waits`: its pet is not on the server yet. `pet-deleted`: its pet is deleted.
 * - `obsolete`: a deleted entry that the server never had, nor its pet.
 */
export type PushOutcome =
  | { readonly kind: 'write'; readonly document: LocalDocument; readonly seq: number }
  | {
      readonly kind: 'conflict';
      readonly document: LocalDocument;
      readonly server: RemoteDocument;
    }
  | { readonly kind: 'waits' | 'pet-deleted' | 'obsolete'; readonly document: LocalDocument };

/** null if the server has another epoch, or commits that this device has not seen; pull first. */
export type PushResult = (Commit & { readonly outcomes: readonly PushOutcome[] }) | null;

type Verdict = Exclude<PushOutcome['kind'], 'conflict'>;

/** Returns the verdict on an entry that its pet blocks; null if the entry may be written. */
function judgePet(entry: LocalDocument, pet: LocalDocument | undefined): Verdict | null {
  if (!entry.deleted && pet?.deleted === true) return 'pet-deleted';
  if (pet !== undefined && pet.seq !== null) return null;
  // A restored server may get back a pet of a newer schema from another device.
  if (pet !== undefined && (pet.pending !== 0 || pet.code === newerSchemaCode)) return 'waits';
  if (!entry.deleted) return 'pet-deleted';
  return entry.seq === null ? 'obsolete' : null;
}

function verdictOf(document: LocalDocument, { documents, pets }: PushBatch): Verdict {
  const { petId } = document;
  if (petId === null) return 'write';
  const pet = pets.get(petId);
  // A pet that the server lacks is written by the same commit.
  const isNewPet = documents.some(
    ({ collection, id, seq }) => collection === 'pets' && id === petId && seq === null,
  );
  if (isNewPet && (document.deleted || pet?.deleted !== true)) return 'write';
  return judgePet(document, pet) ?? 'write';
}

/**
 * Returns the server's state of a document without a seq, if it differs from the one that the copy was forked from.
 */
function changedUnseen(document: LocalDocument, view: TransactionView): RemoteDocument | null {
  const server = view.documents.get(refKey(document)) ?? null;
  const isSame = server === null || sameFields(document.base?.fields ?? {}, server.fields);
  return isSame ? null : server;
}

/**
 * Decides the writes of a transaction.
 *
 * - Pure, and computed again from each view that the transaction reads: a plan on a stale view is never committed.
 * - It writes only under a head that this device has seen: then the copies have the server's state, so each document is
 *   written over the state it was forked from.
 * - A document without a seq, from an earlier client, is read with the head, since it may change without moving the
 *   head.
 * - The writes get consecutive seqs above the head, which moves to the last of them.
 */
export function planPush(batch: PushBatch, view: TransactionView): TransactionPlan<PushResult> {
  const before = view.head;
  if (!hasSeenAll(batch.checkpoint, before)) return { head: before, writes: [], result: null };
  const start = before ?? { head: 0, epoch: batch.newEpoch };
  const writes: RemoteWrite[] = [];
  const outcomes = batch.documents.map((document): PushOutcome => {
    const server = changedUnseen(document, view);
    if (server !== null) return { kind: 'conflict', document, server };
    const kind = verdictOf(document, batch);
    if (kind !== 'write') return { kind, document };
    const seq = start.head + writes.length + 1;
    writes.push(toWrite(document, seq));
    return { kind, document, seq };
  });
  const after = { ...start, head: start.head + writes.length };
  return { head: after, writes, result: { before, after, outcomes } };
}

function toWrite(document: LocalDocument, seq: number): RemoteWrite {
  const { collection, id, petId, ownerId, fields, edits, deleted } = document;
  return { collection, id, petId, ownerId, fields, edits, deleted, seq };
}
