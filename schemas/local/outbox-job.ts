import type { EditStamps } from '../documents/sync-state.ts';

/**
 * How far a file is on its way to the server. Each stage is stored, with what the one before has given, before the next
 * begins.
 *
 * - `recorded`: the bytes are safe; the entry they belong to is not written yet.
 * - `queued`: to be uploaded. `uploading`: an upload was begun, and may have arrived.
 * - `uploaded`: the server has confirmed size and hash. `transcribing`: its words are asked for.
 * - `done`: everything knows of it; the bytes here may go.
 * - `failed`: refused for good; kept until its owner decides.
 */
const outboxStages = [
  'recorded',
  'queued',
  'uploading',
  'uploaded',
  'transcribing',
  'done',
  'failed',
] as const;

export type OutboxStage = (typeof outboxStages)[number];

export type OutboxKind = 'profile-picture' | 'voice-note';

/** A file of this device on its way. Its bytes lie apart, so that lists need not read them (`file-bytes.ts`). */
export interface OutboxJob {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly petId: string;
  /** The journal entry it belongs to; null for a picture. */
  readonly entryId: string | null;
  readonly stage: OutboxStage;
  /** Random: another one under the same id means other bytes. */
  readonly token: string;
  /** Where it goes on the server; the same for every attempt. */
  readonly objectName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Base64, as the server writes it. */
  readonly md5: string;
  /** Of a voice note, as it was measured while it was recorded. */
  readonly durationMs?: number;
  /** The owner has asked for words in place of those that are there: those whose stamp is this one, and no later ones. */
  readonly replacesStamp?: number;
  /** Epoch milliseconds; the oldest goes first. Of a picture: when its owner chose it, by the corrected clock. */
  readonly createdAtMs: number;
  /** Of a picture: hashes of those that its owner saw and replaced. Any other one that it meets is kept as a version. */
  readonly replaces?: readonly string[];
  /** Failures in a row. */
  readonly attempts: number;
  /** Epoch milliseconds before which it is not tried again by itself; 0: at once. */
  readonly nextAttemptAtMs: number;
  /** Of the last failure: a code of replication's `RemoteError` or of ours; null without one. */
  readonly code: string | null;
}

/** Of a job that was not tried in this stage, or is tried anew. */
export const untried = { attempts: 0, nextAttemptAtMs: 0, code: null } as const;

/** It waits for its owner's decision, and not to be sent. */
export function isParked({ stage }: OutboxJob): boolean {
  return stage === 'failed';
}

/** The code of a job whose entry was deleted: its bytes stay for a while, since the deletion may be taken back. */
export const entryDeletedCode = 'entry-deleted';

export function isOfDeleted({ code }: OutboxJob): boolean {
  return code === entryDeletedCode;
}

/** Nothing of it can have arrived on the server. */
export function isUntouched({ stage, attempts }: OutboxJob): boolean {
  return (stage === 'recorded' || stage === 'queued') && attempts === 0;
}

/** The document of its entry knows of its file: whoever deletes the entry names the file. */
export function isTold({ stage, code }: OutboxJob): boolean {
  return stage === 'transcribing' || stage === 'done' || code?.startsWith('words-') === true;
}

/** It is on this device alone, and wanted. */
export function isUnsent({ stage, code }: OutboxJob): boolean {
  return stage !== 'transcribing' && stage !== 'done' && code !== entryDeletedCode;
}

/** Another pass could bring it further. */
export function hasWorkLeft({ stage, code }: OutboxJob): boolean {
  return stage !== 'failed' && stage !== 'recorded' && code !== entryDeletedCode;
}

export function pictureJobId(petId: string): string {
  return `profile-picture:${petId}`;
}

/** By type, the name's end. The types are those that the server's rules take. */
export const pictureExtensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** When the picture of a pet was chosen, in epoch milliseconds; 0 if that is not known. */
export function pictureStamp(edits: EditStamps): number {
  return Math.max(edits['profilePicturePath'] ?? 0, edits['profilePictureVersion'] ?? 0);
}

/** The type of a picture by its name on the server. */
export function pictureType(objectName: string | null): string {
  const extension = /[^.]*$/.exec(objectName ?? '')?.[0];
  const types = Object.entries(pictureExtensions);
  return types.find(([, known]) => known === extension)?.[0] ?? 'image/jpeg';
}

export function picturePath(petId: string, extension: string): string {
  return `pets/${petId}/images/profile.${extension}`;
}
