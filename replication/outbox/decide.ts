import type { LocalDocument } from '../../schemas/documents/document.ts';
import { cachedPictureId } from '../../schemas/local/file-bytes.ts';
import type { PlaceFileJob, RemoveFileJob } from '../../schemas/local/local-record.ts';
import {
  hasWorkLeft,
  isOfDeleted,
  isParked,
  isTold,
  pictureJobId,
  pictureStamp,
  type OutboxJob,
} from '../../schemas/local/outbox-job.ts';
import { isChosenLater } from '../../schemas/local/place-file.ts';
import { deletedEntryFileKeptMs, fileOf } from '../../schemas/local/remove-file.ts';
import { voiceNoteJobId } from '../../schemas/documents/voice-note.ts';
import { isOver } from '../connectivity/backoff.ts';
import type { BytesInfo } from '../../store/file-store.ts';
import { deletedRecordingKeptMs, type NewHome } from '../../store/files/voice-note-files.ts';
import type { Ledger } from './ledger.ts';

/**
 * The decision for a job.
 *
 * - `send`: its next stage may begin; its live document is on the server. `rest`: nothing can be done now.
 * - `begin`: its entry was written. `offer`: its entry does not exist, so its owner is asked.
 * - `mark`: its entry was deleted, which may be undone. `hand-over`: another entry, or its own under another pet, needs
 *   it.
 * - `keep`: its pet shows a picture that was chosen later, so this one becomes a conflict version.
 * - `let-go`: the document it belongs to is gone for good.
 */
export type JobDecision =
  | { readonly kind: 'rest' | 'begin' | 'offer' | 'mark' | 'let-go' }
  | { readonly kind: 'send'; readonly document: LocalDocument }
  | { readonly kind: 'hand-over'; readonly home: NewHome }
  | { readonly kind: 'keep'; readonly pet: LocalDocument };

const rest = { kind: 'rest' } as const;

/** How far a clock may be set back without ending the time for which a file is kept. */
const setBackMs = 24 * 3_600_000;

/**
 * Whether something may still need the file of an entry, or of a deleted pet: the entry itself if it is live, a version
 * or a placement. @param except a placement for this document does not count.
 */
function isNeeded(
  { documents, versions, placements }: Ledger,
  id: string,
  except?: string,
): boolean {
  if (documents.entries.get(id)?.deleted === false) return true;
  const isKept = [...versions.values()].some(
    ({ reason, documentId }) => reason === 'deleted' && documentId === id,
  );
  const isBrought = [...placements.values()].some(
    ({ sourceId, documentId }) => sourceId === id && documentId !== except,
  );
  return isKept || isBrought;
}

/** Whether another job keeps the same bytes, so that they would stay if this job ended. */
function isShared({ id, objectName }: OutboxJob, ledger: Ledger): boolean {
  return ledger.jobs.some(
    (other) =>
      other.id !== id && other.objectName === objectName && isNeeded(ledger, other.entryId ?? ''),
  );
}

function homeOf({ id, petId }: LocalDocument): NewHome {
  return { entryId: id, petId: petId ?? '' };
}

/** Returns the entry that takes the place of a deleted one and needs its recording: an imported one has its own. */
function heirOf(job: OutboxJob, entry: LocalDocument, ledger: Ledger): LocalDocument | undefined {
  const successor = ledger.successors.get(entry.id);
  const file = successor === undefined ? null : fileOf(successor);
  return file === null || file === job.objectName ? successor : undefined;
}

function decideDeleted(job: OutboxJob, entry: LocalDocument, ledger: Ledger): JobDecision {
  if (!isOfDeleted(job)) return { kind: 'mark' };
  const successor = heirOf(job, entry, ledger);
  const isCopy = isNeeded(ledger, entry.id, successor?.id);
  // The job of a copy stays here, and is not handed to the same entry on every pass.
  if (successor !== undefined && !(isCopy && job.handedTo === successor.id)) {
    return { kind: 'hand-over', home: { ...homeOf(successor), isCopy } };
  }
  // The job ends only after the server has the deletion too.
  const isLate = isOver(job.nextAttemptAtMs, ledger.nowMs, deletedRecordingKeptMs + setBackMs);
  const isGone = isLate && entry.pending === 0;
  const isKept = isNeeded(ledger, entry.id) || isShared(job, ledger);
  return isGone && !isKept ? { kind: 'let-go' } : rest;
}

function sendUnlessStuck(job: OutboxJob, document: LocalDocument): JobDecision {
  return isParked(job) || document.seq === null ? rest : { kind: 'send', document };
}

function decideRecording(job: OutboxJob, ledger: Ledger): JobDecision {
  const entry = ledger.documents.entries.get(job.entryId ?? '');
  if (entry === undefined) {
    return ledger.isFetched && job.stage !== 'recorded' ? { kind: 'offer' } : rest;
  }
  if (entry.deleted) return decideDeleted(job, entry, ledger);
  if (entry.petId !== job.petId || isOfDeleted(job)) {
    return { kind: 'hand-over', home: homeOf(entry) };
  }
  if (job.stage === 'recorded') return { kind: 'begin' };
  return sendUnlessStuck(job, entry);
}

/**
 * Whether the owner had seen this picture of the pet when they chose that of the job. The hash alone does not tell:
 * another device may have restored a picture that they had replaced.
 */
export function isSeen(job: OutboxJob, pet: LocalDocument, version: unknown): boolean {
  const { md5, replaces = [], seenStamp = Infinity } = job;
  if (version === md5) return true;
  return replaces.some((seen) => seen === version) && pictureStamp(pet.edits) <= seenStamp;
}

/** Whether the pet has a picture that was chosen later. */
export function isOutdated(pet: LocalDocument, job: OutboxJob): boolean {
  const version = pet.fields['profilePictureVersion'];
  if (version === undefined || version === job.md5) return false;
  const aheadMs = pictureStamp(pet.edits) - job.createdAtMs;
  return aheadMs > 0 || (aheadMs === 0 && !isSeen(job, pet, version));
}

function livePet({ documents, dyingPets }: Ledger, id: string): LocalDocument | undefined {
  const pet = documents.pets.get(id);
  return pet?.deleted === false && !dyingPets.has(id) ? pet : undefined;
}

function decidePicture(job: OutboxJob, ledger: Ledger): JobDecision {
  const pet = livePet(ledger, job.petId);
  if (pet === undefined) return isNeeded(ledger, job.petId) ? rest : { kind: 'let-go' };
  if (isOutdated(pet, job)) return { kind: 'keep', pet };
  return sendUnlessStuck(job, pet);
}

/**
 * Decides what happens to the file of a job, from what is stored on this device alone. The network may find later that a
 * step cannot be done yet. See O4 to O8 in replication/SPEC.md.
 */
export function decideJob(job: OutboxJob, ledger: Ledger): JobDecision {
  return job.kind === 'voice-note' ? decideRecording(job, ledger) : decidePicture(job, ledger);
}

/** Whether the server has another epoch than when it was last compared with the cached files. */
function isToBeCompared({ epoch, comparedEpoch }: Ledger): boolean {
  return comparedEpoch !== null && comparedEpoch !== epoch;
}

/**
 * Decides what happens to a recording in the cache.
 *
 * - `keep`: it stays there.
 * - `rest`: its entry was deleted; a job keeps its bytes for as long as the deletion may be undone.
 * - `compare`: the server has another epoch and may have lost files, so a job uploads it again if the server lacks it.
 */
export function decideCached({ id, documentId }: BytesInfo, ledger: Ledger) {
  const entry = ledger.documents.entries.get(documentId);
  if (entry?.deleted === true) return 'rest';
  return isToBeCompared(ledger) && entry !== undefined && fileOf(entry) === id ? 'compare' : 'keep';
}

/** Returns the live pet of a cached picture that is to be compared with the server in the same way; else null. */
export function cachedPicturesPet(
  { id, documentId }: BytesInfo,
  ledger: Ledger,
): LocalDocument | null {
  const pet = livePet(ledger, documentId);
  const isCompared = isToBeCompared(ledger) && id === cachedPictureId(documentId);
  return isCompared && pet !== undefined ? pet : null;
}

/** The pets whose picture is on this device although they are deleted or unknown, and cannot be restored. */
export function petsGone(ledger: Ledger): ReadonlySet<string> {
  const ids = ledger.pictures.map(({ documentId }) => documentId);
  const isGone = (id: string): boolean =>
    ledger.documents.pets.get(id)?.deleted !== false && !isNeeded(ledger, id);
  return new Set(ids.filter(isGone));
}

/**
 * - `place`: its file is to be found. `wait`: its document is not on this device yet.
 * - `forget`: the document has another file, or did not appear in time.
 */
export type PlacementDecision =
  | { readonly kind: 'wait' | 'forget' }
  | {
      readonly kind: 'place';
      readonly document: LocalDocument;
      /** The job of the document that had the file before. */
      readonly left: OutboxJob | undefined;
      /** Whether that job also stays, because something else needs its file. */
      readonly isCopy: boolean;
    };

const placementKeptMs = 24 * 3_600_000;

/** Whether the file is still looked for: an unavailable file is retried for a day. */
export function isLookedFor({ chosenAtMs }: PlaceFileJob, { correctedMs }: Ledger): boolean {
  return correctedMs - chosenAtMs <= placementKeptMs;
}

function liveHolder(
  { collection, documentId }: PlaceFileJob,
  { documents, successors }: Ledger,
): LocalDocument | undefined {
  const found = documents[collection].get(documentId);
  return found?.deleted === false ? found : successors.get(documentId);
}

export function decidePlacement(placement: PlaceFileJob, ledger: Ledger): PlacementDecision {
  const document = liveHolder(placement, ledger);
  if (document === undefined) {
    return { kind: isLookedFor(placement, ledger) ? 'wait' : 'forget' };
  }
  const isPicture = placement.collection === 'pets';
  const idOf = isPicture ? pictureJobId : voiceNoteJobId;
  const jobOf = (id: string): OutboxJob | undefined =>
    ledger.jobs.find((job) => job.id === idOf(id));
  const own = jobOf(document.id);
  const isOwnKept = (job: OutboxJob): boolean =>
    isPicture ? isChosenLater(job, placement) : !isTold(job);
  if (own !== undefined && isOwnKept(own)) return { kind: 'forget' };
  const { sourceId } = placement;
  const left = sourceId === document.id ? undefined : jobOf(sourceId);
  const isCopy = isNeeded(ledger, sourceId, placement.documentId);
  return { kind: 'place', document, left, isCopy };
}

/** Whether the document no longer refers to the file, the server knows that, and it cannot be undone. */
export function isGivenUp(removal: RemoveFileJob, { documents }: Ledger): boolean {
  const { collection, documentId, objectName } = removal;
  const document = documents[collection].get(documentId);
  return document === undefined || (document.pending === 0 && fileOf(document) !== objectName);
}

export function isRemovalDue({ notBeforeMs }: RemoveFileJob, nowMs: number): boolean {
  return isOver(notBeforeMs, nowMs, deletedEntryFileKeptMs + setBackMs);
}

/** The names of files that something on this device may still attach to a document that does not refer to them yet. */
export function namesNeeded({
  jobs,
  placements,
  versions,
}: Pick<Ledger, 'jobs' | 'placements' | 'versions'>): ReadonlySet<string> {
  return new Set(
    [
      ...jobs.map((job) => (hasWorkLeft(job) ? job.objectName : null)),
      ...[...placements.values()].map(({ objectName }) => objectName),
      ...[...versions.values()].map(fileOf),
    ].filter((name) => name !== null),
  );
}
