import { asDeleted, type LocalDocument } from '../../../schemas/documents/document.ts';
import {
  deletePetJobId,
  sweepPetJobId,
  type ConflictVersion,
} from '../../../schemas/local/local-record.ts';
import { removalsOf } from '../../../schemas/local/remove-file.ts';
import { changeDocuments, writeRecord, type Change } from '../../../store/change-documents.ts';
import type { DocumentStore } from '../../../store/document-store.ts';

/**
 * Deletes a pet and its journal, or what is left of a journal whose pet was deleted elsewhere.
 *
 * - The job is written before its first piece and removed after its last: a crash anywhere only delays it.
 * - Entries first, the pet last, so that no entry outlives its pet on any device that sees them in order.
 * - Files are named in jobs of their own, in the commit of the tombstone that forgets them; the outbox removes them
 *   afterwards.
 * - Works without network; the tombstones are pushed like any edit.
 */
export interface PetJobDeps {
  readonly store: DocumentStore;
  readonly petId: string;
}

const pieceSize = 100;

function deletion(document: LocalDocument): Change {
  return { document: asDeleted(document), records: removalsOf(document) };
}

/** Changes the live entries of a pet until `change` leaves all that remain. */
async function changeEntries(
  store: DocumentStore,
  petId: string,
  change: (entry: LocalDocument) => Change | null,
): Promise<void> {
  let afterId = '';
  for (;;) {
    const page = await store.listEntriesOfPet(petId, { afterId, limit: pieceSize });
    const ids = page.map(({ document }) => document.id);
    await changeDocuments(store, { collection: 'entries', ids }, (stored) =>
      stored === null || stored.deleted ? null : change(stored),
    );
    const last = ids.at(-1);
    if (last === undefined) return;
    afterId = last;
  }
}

/** Ends the job. Entries that were stored while it ran, unseen by the pet's owner, are left to the sweep. */
async function endDeletePetJob({ store, petId }: PetJobDeps): Promise<void> {
  const late = await store.listEntriesOfPet(petId, { afterId: '', limit: 1 });
  const sweep = [sweepPetJobId(petId), { kind: 'sweep-pet', petId }] as const;
  const ended = [deletePetJobId(petId), null] as const;
  await store.commit({ records: late.length > 0 ? [sweep, ended] : [ended] });
}

/**
 * Runs, or resumes, the deletion of a pet. Its job record must be stored already. Where the pet is deleted, its entries
 * were before: what came later nobody here has seen, and is left to the sweep.
 */
export async function runDeletePetJob({ store, petId }: PetJobDeps): Promise<void> {
  const pet = (await store.get('pets', [petId])).get(petId)?.document;
  if (pet?.deleted !== true) {
    await changeEntries(store, petId, deletion);
    await changeDocuments(store, { collection: 'pets', ids: [petId] }, (stored) =>
      stored === null || stored.deleted ? null : deletion(stored),
    );
  }
  await endDeletePetJob({ store, petId });
}

function versionOf(entry: LocalDocument, nowMs: number): ConflictVersion {
  const { collection, id, petId, fields, edits } = entry;
  const lost = { petId, fields, edits, reason: 'deleted', side: 'server' } as const;
  return { kind: 'loser', collection, documentId: id, ...lost, keptAtMs: nowMs };
}

/**
 * Deletes the entries that are still live on the server under a deleted pet, and keeps their content: whoever wrote them
 * had not seen the deletion. What waits here is left to the push, which parks it.
 */
async function runSweepPetJob(store: DocumentStore, petId: string, nowMs: number): Promise<void> {
  const pet = (await store.get('pets', [petId])).get(petId)?.document;
  if (pet?.deleted === true) {
    await changeEntries(store, petId, (entry) =>
      entry.pending === 0 ? { ...deletion(entry), versions: [versionOf(entry, nowMs)] } : null,
    );
  }
  await writeRecord(store, sweepPetJobId(petId), null);
}

/** Ends what a crash cut short. Also without network, so that a deleted pet's journal is gone from this device. */
export async function resumeDeletePetJobs(store: DocumentStore): Promise<void> {
  for (const job of (await store.listRecords('delete-pet')).values()) {
    await runDeletePetJob({ store, petId: job.petId });
  }
}

/** To be run after a complete pull: before it, the deletions of the entries may still be on their way. */
export async function runSweepPetJobs(store: DocumentStore, nowMs: number): Promise<void> {
  for (const job of (await store.listRecords('sweep-pet')).values()) {
    await runSweepPetJob(store, job.petId, nowMs);
  }
}
