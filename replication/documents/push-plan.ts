import type { LocalDocument } from '../../schemas/document.ts';
import type { Checkpoint } from '../../schemas/local-record.ts';
import type { Head, RemoteDocument, RemoteWrite, TransactionView } from '../ports.ts';
import { refKey } from '../ports.ts';
import { isOtherHistory, type Commit } from './checkpoint.ts';
import { sameContent, sameFields } from './content.ts';

/**
 * Decides what a transaction writes.
 *
 * - Pure, and decided anew from what the transaction reads: a plan made on an older view is never committed.
 * - A document is written only over the state it was forked from. Anything else is a conflict, for the merge.
 * - All writes are numbered after the head and move it, once.
 * - Nothing is written into another history than the one this device has read.
 */
export interface PushBatch {
  readonly documents: readonly LocalDocument[];
  /** This device's copies of the pets of the batch's entries, by id. */
  readonly pets: ReadonlyMap<string, LocalDocument>;
  readonly checkpoint: Checkpoint;
  /** Becomes the epoch if the server has none yet. */
  readonly newEpoch: string;
}

/**
 * - `write`: committed with `seq`. `done`: the server has exactly this already.
 * - `conflict`: the server has something else; to be merged and tried again.
 * - `waits`: its pet is not on the server yet. `pet-deleted`: its pet is gone.
 * - `moot`: a deleted entry that the server never had, nor its pet.
 */
export type PushOutcome =
  | { readonly kind: 'write'; readonly document: LocalDocument; readonly seq: number }
  | {
      readonly kind: 'done' | 'conflict';
      readonly document: LocalDocument;
      readonly server: RemoteDocument;
    }
  | { readonly kind: 'waits' | 'pet-deleted' | 'moot'; readonly document: LocalDocument };

interface PushPlan {
  readonly head: Head;
  readonly writes: readonly RemoteWrite[];
  readonly result: PushResult;
}

/** null: the server has another history, or was just given one; pull first. */
export type PushResult = (Commit & { readonly outcomes: readonly PushOutcome[] }) | null;

export type PlanPush = (batch: PushBatch, view: TransactionView) => PushPlan;

type Verdict = PushOutcome['kind'];

/** The server's state is the one that our copy was forked from. */
function isForkedFrom(document: LocalDocument, server: RemoteDocument): boolean {
  if (server.seq !== document.seq) return false;
  // Without a seq the content itself is the precondition.
  return (
    server.seq !== 0 || (document.base !== null && sameFields(document.base.fields, server.fields))
  );
}

function judgeContent(document: LocalDocument, server: RemoteDocument | null): Verdict {
  if (server === null) return 'write';
  if (server.newerSchema && !server.deleted) return 'conflict';
  if (server.seq !== 0 && sameContent(document, server)) return 'done';
  return isForkedFrom(document, server) ? 'write' : 'conflict';
}

/** What stands in the way of an entry that would be written; null if nothing does. */
function judgePet(
  entry: LocalDocument,
  server: { readonly entry: RemoteDocument | null; readonly pet: RemoteDocument | null },
  ownPet: LocalDocument | undefined,
): Verdict | null {
  if (!entry.deleted && (server.pet?.deleted === true || ownPet?.deleted === true)) {
    return 'pet-deleted';
  }
  if (server.pet !== null) return null;
  if (ownPet !== undefined && ownPet.pending !== 0) return 'waits';
  if (!entry.deleted) return 'pet-deleted';
  return server.entry === null ? 'moot' : null;
}

function toWrite(document: LocalDocument, seq: number): RemoteWrite {
  const { collection, id, petId, ownerId, fields, edits, deleted } = document;
  return { collection, id, petId, ownerId, fields, edits, deleted, seq };
}

function judge(document: LocalDocument, batch: PushBatch, view: TransactionView): Verdict {
  const server = view.documents.get(refKey(document)) ?? null;
  const verdict = judgeContent(document, server);
  const { petId } = document;
  if (verdict !== 'write' || petId === null) return verdict;
  const ownPet = batch.pets.get(petId);
  const pet = view.documents.get(refKey({ collection: 'pets', id: petId })) ?? null;
  const isMadeHere = batch.documents.some(
    ({ collection, id }) => collection === 'pets' && id === petId,
  );
  // A pet that the server lacks is written by the same commit, whatever else the batch holds.
  if (pet === null && isMadeHere && (document.deleted || ownPet?.deleted !== true)) return 'write';
  return judgePet(document, { entry: server, pet }, ownPet) ?? 'write';
}

/** The server lost a commit that this device has stored, while its head and epoch stayed. */
function isPartlyRestored({ documents, pets }: PushBatch, view: TransactionView): boolean {
  return [...documents, ...pets.values()].some((document) => {
    const server = view.documents.get(refKey(document));
    return server && server.seq < (document.seq ?? 0);
  });
}

export const planPush: PlanPush = (batch, view) => {
  const before = view.head;
  const start = before ?? { head: 0, epoch: batch.newEpoch };
  if (isOtherHistory(batch.checkpoint, before)) return { head: start, writes: [], result: null };
  if (isPartlyRestored(batch, view)) {
    // The new epoch makes every device compare all of its documents with the server's.
    return { head: { ...start, epoch: batch.newEpoch }, writes: [], result: null };
  }
  const writes: RemoteWrite[] = [];
  const outcomes = batch.documents.map((document): PushOutcome => {
    const kind = judge(document, batch, view);
    const server = view.documents.get(refKey(document)) ?? null;
    if (kind === 'write') {
      const seq = start.head + writes.length + 1;
      writes.push(toWrite(document, seq));
      return { kind, document, seq };
    }
    if (kind === 'waits' || kind === 'pet-deleted' || kind === 'moot') return { kind, document };
    // The verdicts `done` and `conflict` are given on a server's document only.
    return server === null ? { kind: 'waits', document } : { kind, document, server };
  });
  const after = { ...start, head: start.head + writes.length };
  return { head: after, writes, result: { before, after, outcomes } };
};
