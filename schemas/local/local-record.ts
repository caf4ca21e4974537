import type { OutboxJob } from './outbox-job.ts';
import type { EditStamps, Fields, SyncedCollection } from '../documents/sync-state.ts';

/** How far this device has read the server's documents. One record, id `checkpoint`. */
export interface Checkpoint {
  readonly kind: 'checkpoint';
  /** Of the `sync/{uid}` document that the numbers belong to; null before there is one. */
  readonly epoch: string | null;
  /** Every document with a seq up to this one has been stored here. */
  readonly seq: Readonly<Record<SyncedCollection, number>>;
  /** The server's head as the first pull saw it, which tells how far it is; absent once that is complete. */
  readonly firstPullUntil?: number;
  /** How far a first pull by {@link Scan} has come; absent if none is under way. */
  readonly scan?: Scan;
  /** Epoch milliseconds at which the server was last found to have all that this device has; absent if it never was. */
  readonly comparedAtMs?: number;
  /** True once one pull has gone through to the end: from then on an empty list means that there is nothing. */
  readonly complete: boolean;
  /** Epoch milliseconds of the last sync that went through to the end, null if there was none. */
  readonly syncedAtMs: number | null;
}

/**
 * A first pull of a collection that holds documents without a seq: no query finds these, so all documents are read, in the
 * order of their paths.
 */
export interface Scan {
  readonly collection: SyncedCollection;
  /** The last document that is stored here; null before the first. */
  readonly after: { readonly id: string; readonly petId: string | null } | null;
  /** The server's head before the first page: what was committed since has a higher seq. */
  readonly head: number;
}

/** The version of a document that a merge did not choose. Kept until the owner restores or discards it. */
export interface ConflictVersion {
  readonly kind: 'loser';
  readonly collection: SyncedCollection;
  readonly documentId: string;
  readonly petId: string | null;
  /** The fields that lost; all of them if the document was deleted elsewhere. */
  readonly fields: Fields;
  /** Has a stamp for every field that lost: one that is not in `fields` had been cleared. */
  readonly edits: EditStamps;
  readonly reason: 'other-edit' | 'deleted';
  /** Whose it was: written on this device, or elsewhere. */
  readonly side: 'local' | 'server';
  readonly keptAtMs: number;
}

/** Deletes a dog and its journal in pieces; written before the first piece, removed after the last. */
interface DeletePetJob {
  readonly kind: 'delete-pet';
  readonly petId: string;
}

/**
 * Clears up the entries that are still live under a pet deleted elsewhere: their writers had not seen the deletion. Each
 * is deleted and its content kept as a {@link ConflictVersion}.
 */
interface SweepPetJob {
  readonly kind: 'sweep-pet';
  readonly petId: string;
}

/**
 * A file to be removed from the server, since its document has it no more. Written before the document gives it up, so
 * that its name is never lost; removed once the file is gone.
 */
export interface RemoveFileJob {
  readonly kind: 'remove-file';
  /** What spoke of the file. */
  readonly collection: SyncedCollection;
  readonly documentId: string;
  readonly objectName: string;
  /** Epoch milliseconds of this device's clock, before which the file stays. */
  readonly notBeforeMs: number;
}

/** The history of the server that the cached recordings were last compared with. One record, id `files-history`. */
interface FilesHistory {
  readonly kind: 'files-history';
  readonly epoch: string;
}

/**
 * A dog or an entry was restored or moved, and took a new place: its file is to be brought there. A document whose file
 * lies in another folder is stored without it, and learns of it like of any other file.
 */
export interface PlaceFileJob {
  readonly kind: 'place-file';
  readonly collection: SyncedCollection;
  readonly documentId: string;
  /** Whose file it was: this device may still have its bytes. */
  readonly sourceId: string;
  /** Where the server has it. */
  readonly objectName: string | null;
  /** The hash of a picture; null if it is not known. */
  readonly version: string | null;
  /** Epoch milliseconds of the corrected clock. */
  readonly chosenAtMs: number;
}

/** A file of this device on its way. The record has the id of the job. */
interface OutboxJobRecord {
  readonly kind: 'outbox-job';
  readonly job: OutboxJob;
}

/** This installation. One record, id `device`. */
export interface Device {
  readonly kind: 'device';
  readonly deviceId: string;
  /** What to add to this device's clock to get the server's, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Epoch milliseconds of this device's clock when that was last measured; absent if it never was. */
  readonly measuredAtMs?: number;
}

export type LocalRecord =
  | Checkpoint
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

/** Those of one kind, by their ids. */
export function recordsOf<Kind extends LocalRecordKind>(
  records: Iterable<readonly [id: string, record: LocalRecord]>,
  kind: Kind,
): ReadonlyMap<string, RecordOf<Kind>> {
  const isOfKind = (record: LocalRecord): record is RecordOf<Kind> => record.kind === kind;
  const found = new Map<string, RecordOf<Kind>>();
  for (const [id, record] of records) if (isOfKind(record)) found.set(id, record);
  return found;
}

/** How records lie in the local database. */
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

export function placeFileJobId(documentId: string): string {
  return `place-file:${documentId}`;
}

/** One for each file that a document has had: its recording has another name under another dog. */
export function removeFileJobId({
  documentId,
  objectName,
}: Pick<RemoveFileJob, 'documentId' | 'objectName'>): string {
  let hash = 0;
  for (const letter of objectName) hash = (hash * 31 + letter.charCodeAt(0)) % 0x7fffffff;
  return `remove-file:${hash.toString(36)}:${documentId}`;
}

/** A clock that shows an earlier time than it did was set back if the difference is larger than this. */
export const clockDriftMs = 60_000;

/**
 * The server's time by this device's clock. A clock that was set back since it was measured has lost its correction; until it
 * is measured again it counts as right, but the time is never before one that the server has told.
 * @param record the one with the id {@link deviceRecordId}, if it is there.
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
