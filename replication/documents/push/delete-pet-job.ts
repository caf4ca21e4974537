import { asDeleted, type LocalDocument } from '../../../schemas/documents/document.ts';
import { deletePetJobId, sweepPetJobId } from '../../../schemas/local/local-record.ts';
import { deletionRecords } from '../../../schemas/local/remove-file.ts';
import { conflictVersion } from '../../../schemas/local/conflict-version.ts';
import { changeDocuments, writeRecord, type Change } from '../../../store/change-documents.ts';
import { pagesOf } from '../../../store/indexeddb/pages.ts';
import type { DocumentStore } from '../../../store/document-store.ts';

function deletion(document: LocalDocument): Change {
  return { document: asDeleted(document), records: deletionRecords(document) };
}

/** Applies `change` to each live entry of a pet, page by page. */
async function changeEntries(
  store: DocumentStore,
  petId: string,
  change: (entry: LocalDocument) => Change | null,
): Promise<void> {
  for await (const page of pagesOf((at) => store.listEntriesOfPet(petId, at))) {
    const ids = page.map(({ document }) => document.id);
    await changeDocuments(store, { targets: [{ collection: 'entries', ids }] }, (stored) =>
      stored === null || stored.deleted ? null : change(stored),
    );
  }
}

/** Removes the job. Entries that were stored while it ran, unseen by the pet's owner, are left to the sweep. */
async function endDeletePetJob(store: DocumentStore, petId: string): Promise<void> {
  const late = await store.listEntriesOfPet(petId, { afterId: '', limit: 1 });
  const sweep = [sweepPetJobId(petId), { kind: 'sweep-pet', petId }] as const;
  const ended = [deletePetJobId(petId), null] as const;
  await store.commit({ records: late.length > 0 ? [sweep, ended] : [ended] });
}

/**
 * Runs, or resumes, the deletion of a pet and its journal. Its job record must be stored already.
 *
 * - The record is written before the first piece and removed after the last, so a crash at any point only delays it.
 * - Entries are deleted before the pet, so that no entry outlives its pet on a device that sees the changes in order.
 * - The commit of each tombstone also stores a removal job for the document's file; the outbox removes the file later.
 * - It needs no network; the tombstones are pushed like any edit.
 * - If the pet is already deleted, so are its entries. Entries that arrived since, unseen by this owner, are left to
 *   the sweep.
 */
export async function runDeletePetJob(store: DocumentStore, petId: string): Promise<void> {
  const pet = (await store.get('pets', [petId])).get(petId)?.document;
  if (pet?.deleted !== true) {
    await changeEntries(store, petId, deletion);
    const target = { collection: 'pets', ids: [petId] } as const;
    await changeDocuments(store, { targets: [target] }, (stored) =>
      stored === null || stored.deleted ? null : deletion(stored),
    );
  }
  await endDeletePetJob(store, petId);
}

/**
 * Deletes the entries that are still live on the server under a deleted pet, and keeps their content as conflict
 * versions: their author had not seen the deletion. Pending entries are left to the push, which parks them.
 */
async function runSweepPetJob(store: DocumentStore, petId: string, nowMs: number): Promise<void> {
  const pet = (await store.get('pets', [petId])).get(petId)?.document;
  if (pet?.deleted === true) {
    await changeEntries(store, petId, (entry) => {
      const { fields, edits } = entry;
      const lost = { fields, edits, reason: 'deleted', side: 'server' } as const;
      const versions = [conflictVersion(entry, lost, nowMs)];
      return entry.pending === 0 ? { ...deletion(entry), versions } : null;
    });
  }
  await writeRecord(store, sweepPetJobId(petId), null);
}

/**
 * Resumes the deletions that a crash interrupted. It needs no network, so a deleted pet's journal leaves this device
 * also offline.
 */
export async function resumeDeletePetJobs(store: DocumentStore): Promise<void> {
  for (const job of (await store.listRecords('delete-pet')).values()) {
    await runDeletePetJob(store, job.petId);
  }
}

/**
 * Runs the sweeps. Call it only after a complete pull: earlier, the deletions of the entries may not have arrived yet.
 */
export async function runSweepPetJobs(store: DocumentStore, nowMs: number): Promise<void> {
  for (const job of (await store.listRecords('sweep-pet')).values()) {
    await runSweepPetJob(store, job.petId, nowMs);
  }
}
