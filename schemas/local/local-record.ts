import type { OutboxJob } from './outbox-job.ts';
import type { EditStamps, Fields, SyncedCollection } from '../documents/sync-state.ts';

/** How far this device has read the server's documents. One record, id `checkpoint`. */
export interface Checkpoint {
  readonly kind: 'checkpoint';
  /** The epoch of the `sync/{uid}` document that the numbers belong to; null before there is one. */
  readonly epoch: string | null;
  /** Every document with a seq up to this one has been stored here. */
  readonly seq: Readonly<Record<SyncedCollection, number>>;
  /**
   * The server's head at the start of the first pull, from which progress is computed; absent once that pull is
   * complete.
   */
  readonly firstPullUntil?: number;
  /** The progress of a first pull by {@link Scan}; absent if none is in progress. */
  readonly scan?: Scan;
  /**
   * Epoch milliseconds of the last check that found all of this device's documents on the server; absent before the
   * first.
   */
  readonly comparedAtMs?: number;
  /** True once one pull has completed: from then on an empty list means that there is nothing. */
  readonly complete: boolean;
  /** Epoch milliseconds of the last sync that completed, by the corrected clock; null if there was none. */
  readonly syncedAtMs: number | null;
}

/**
 * A first pull of a collection that holds documents without a seq: no query finds these, so it reads all documents in
 * the order of their paths.
 */
export interface Scan {
  readonly collection: SyncedCollection;
  /** The last document that is stored here; null before the first. */
  readonly after: { readonly id: string; readonly petId: string | null } | null;
  /** The server's head before the first page: every later commit has a higher seq. */
  readonly head: number;
}

/**
 * The request to read the server's documents above `seq` again. Only the engine writes the checkpoint, since a pull that is
 * under way would overwrite a lower one.
 */
interface PullAgain {
  readonly kind: 'pull-again';
  readonly collection: SyncedCollection;
  readonly seq: number;
}

/** The version of a document that lost a merge. It is kept until the owner restores or discards it. */
export interface ConflictVersion {
  readonly kind: 'conflict-version';
  readonly collection: SyncedCollection;
  readonly documentId: string;
  readonly petId: string | null;
  /** The fields that lost, with the time of an entry; all of them if the document was deleted elsewhere. */
  readonly fields: Fields;
  /** A stamp for every field that lost: a field that is not in `fields` had been cleared. */
  readonly edits: EditStamps;
  readonly reason: 'other-edit' | 'deleted';
  /** The side that wrote it: this device, or another one through the server. */
  readonly side: 'local' | 'server';
  readonly keptAtMs: number;
}

/** The job that deletes a pet and its journal in pieces; written before the first piece, removed after the last. */
interface DeletePetJob {
  readonly kind: 'delete-pet';
  readonly petId: string;
}

/**
 * The job that deletes the entries that are still live under a pet deleted elsewhere, since their authors had not seen
 * the deletion. The content of each is kept as a {@link ConflictVersion}.
 */
interface SweepPetJob {
  readonly kind: 'sweep-pet';
  readonly petId: string;
}

/**
 * The job that removes a file from the server after its document no longer refers to it. It is stored no later than
 * that change of the document, so that the name is never lost; removed once the file is gone.
 */
export interface RemoveFileJob {
  readonly kind: 'remove-file';
  /** The collection of the document that referred to the file. */
  readonly collection: SyncedCollection;
  readonly documentId: string;
  readonly objectName: string;
  /** Epoch milliseconds of this device's clock, before which the file stays. */
  readonly notBeforeMs: number;
}

/** The server epoch that the cached files were last compared with. One record, id `files-history`. */
interface FilesHistory {
  readonly kind: 'files-history';
  readonly epoch: string;
}

/**
 * The job that attaches a file to a pet or an entry that was restored or moved. A document whose file is in another
 * folder is stored without it, and gets it like any other uploaded file.
 */
export interface PlaceFileJob {
  readonly kind: 'place-file';
  readonly collection: SyncedCollection;
  readonly documentId: string;
  /** The id of the document that had the file: this device may still have its bytes. */
  readonly sourceId: string;
  /** The name of the file on the server. */
  readonly objectName: string | null;
  /** The hash of a picture; null if it is not known. */
  readonly version: string | null;
  /** Epoch milliseconds of the corrected clock. */
  readonly chosenAtMs: number;
}

/** A file to upload. The record has the id of the job. */
interface OutboxJobRecord {
  readonly kind: 'outbox-job';
  readonly job: OutboxJob;
}

/** The clock of this installation. One record, id `device`. */
export interface Device {
  readonly kind: 'device';
  /** The offset to add to this device's clock to get the server's time, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Epoch milliseconds of this device's clock when the offset was last measured; absent if it never was. */
  readonly measuredAtMs?: number;
}

export type LocalRecord =
  | Checkpoint
  | PullAgain
  | ConflictVersion
  | DeletePetJob
  | SweepPetJob
  | RemoveFileJob
  | PlaceFileJob
  | FilesHistory
  | OutboxJobRecord
  | Device;
export type LocalRecordKind = LocalRecord['kind'];
export type RecordOf<Kind extends LocalRecordKind> = Extract<LocalRecord, { readonly kind: Kind }>;

/** Returns the records of one kind, by their ids. */
export function recordsOf<Kind extends LocalRecordKind>(
  records: Iterable<readonly [id: string, record: LocalRecord]>,
  kind: Kind,
): ReadonlyMap<string, RecordOf<Kind>> {
  const isOfKind = (record: LocalRecord): record is RecordOf<Kind> => record.kind === kind;
  const found = new Map<string, RecordOf<Kind>>();
  for (const [id, record] of records) if (isOfKind(record)) found.set(id, record);
  return found;
}

/** Whether a document still lacks the file that this record names. Without a name, the file is a job of its own. */
export function isPlacement(record: LocalRecord): boolean {
  return record.kind === 'place-file' && record.objectName !== null;
}

/** The row of a record in the local database. */
export interface LocalRecordRow {
  readonly id: string;
  readonly kind: LocalRecordKind;
  readonly data: LocalRecord;
}

export const checkpointId = 'checkpoint';
export const deviceRecordId = 'device';
export const filesHistoryId = 'files-history';

export function deletePetJobId(petId: string): string {
  return `delete-pet:${petId}`;
}

export function sweepPetJobId(petId: string): string {
  return `sweep-pet:${petId}`;
}

export function pullAgainId(documentId: string): string {
  return `pull-again:${documentId}`;
}

export function placeFileJobId(documentId: string): string {
  return `place-file:${documentId}`;
}

/** Returns an id for each file that a document has had: a recording has another name under another pet. */
export function removeFileJobId({
  documentId,
  objectName,
}: Pick<RemoveFileJob, 'documentId' | 'objectName'>): string {
  let hash = 0;
  for (const letter of objectName) hash = (hash * 31 + letter.charCodeAt(0)) % 0x7fffffff;
  return `remove-file:${hash.toString(36)}:${documentId}`;
}

/** A clock that is behind its last measurement by more than this was set back. */
export const clockDriftMs = 60_000;

/**
 * Returns the server's time by this device's clock. A clock that was set back since the measurement has lost its
 * correction. Until the next measurement it counts as right, but the result is never before a time that the server has
 * reported.
 * @param record the one with the id {@link deviceRecordId}, if it exists.
 */
export function correctedMs(record: LocalRecord | null | undefined, nowMs: number): number {
  if (record?.kind !== 'device') return nowMs;
  const { clockOffsetMs, measuredAtMs = 0 } = record;
  if (nowMs >= measuredAtMs - clockDriftMs) return nowMs + clockOffsetMs;
  return Math.max(nowMs, measuredAtMs + clockOffsetMs);
}

export const emptyCheckpoint: Checkpoint = {
  kind: 'checkpoint',
  epoch: null,
  seq: { pets: 0, entries: 0 },
  complete: false,
  syncedAtMs: null,
};
