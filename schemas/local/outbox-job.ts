import type { EditStamps } from '../documents/sync-state.ts';
import type { TranscribeAnswer } from '../transcription.ts';

/**
 * The stages of an upload. Each stage is stored, with the result of the one before, before the next begins.
 *
 * - `recorded`: the bytes are stored; the entry that they belong to is not written yet.
 * - `queued`: to be uploaded. `uploading`: an upload was begun, and may have arrived.
 * - `uploaded`: the server has confirmed size and hash. `transcribing`: its transcript is requested.
 * - `done`: the documents refer to it; the local bytes may be removed.
 * - `failed`: refused for good; kept until its owner decides.
 */
export type OutboxStage =
  | 'recorded'
  | 'queued'
  | 'uploading'
  | 'uploaded'
  | 'transcribing'
  | 'done'
  | 'failed';

export type OutboxKind = 'profile-picture' | 'voice-note';

/** A file to upload. Its bytes are stored separately, so that lists need not read them (`file-bytes.ts`). */
export interface OutboxJob {
  readonly id: string;
  readonly kind: OutboxKind;
  readonly petId: string;
  /** The journal entry it belongs to; null for a picture. */
  readonly entryId: string | null;
  readonly stage: OutboxStage;
  /** Random: another token under the same id means other bytes. */
  readonly token: string;
  /** The name on the server; the same for every attempt. */
  readonly objectName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /**
   * MD5 of a picture in base64, as Cloud Storage writes it. Recordings are long, and are hashed when they are sent, so that no
   * owner waits for it: `''`.
   */
  readonly md5: string;
  /** The duration of a voice note, measured during recording. */
  readonly durationMs?: number;
  /** The transcript of a voice note without an entry, which its owner looks over before sending it. */
  readonly heard?: TranscribeAnswer;
  /** The stamp of the transcript that the owner asked to replace; a later transcript is not replaced. */
  readonly replacesStamp?: number;
  /**
   * Epoch milliseconds; the oldest job is uploaded first. For a picture: the time at which its owner chose it, by the
   * corrected clock.
   */
  readonly createdAtMs: number;
  /**
   * For a picture: the hashes of the pictures that its owner saw and replaced. Any other picture is kept as a version, as is
   * one of these that came later ({@link OutboxJob.seenStamp}).
   */
  readonly replaces?: readonly string[];
  /**
   * For a picture: the stamp of the pet's newest picture that its owner saw ({@link pictureStamp}). A picture that the
   * pet got later was not seen, even if an earlier one had the same bytes. Jobs of version 0.1.0 have none.
   */
  readonly seenStamp?: number;
  /** For a recording that a version of its deleted entry keeps here: the id of the entry that got a copy of it. */
  readonly handedTo?: string;
  /** The number of consecutive failures. */
  readonly attempts: number;
  /** Epoch milliseconds before which it is not retried by itself; 0: at once. */
  readonly nextAttemptAtMs: number;
  /** The code of the last failure: of replication's `RemoteError` or one of this app's; null without one. */
  readonly code: string | null;
}

/** The state of a job that has no attempts in this stage, or starts anew. */
export const untried = { attempts: 0, nextAttemptAtMs: 0, code: null } as const;

/** Returns the request for a new transcript as a part of a job; empty if there is none. */
export function transcriptRequest({
  replacesStamp,
}: {
  readonly replacesStamp?: number | undefined;
}): Pick<OutboxJob, 'replacesStamp'> {
  return replacesStamp === undefined ? {} : { replacesStamp };
}

/** Whether it waits for its owner's decision. */
export function isParked({ stage }: OutboxJob): boolean {
  return stage === 'failed';
}

/** Whether it waits for its owner: for a decision, or for its entry. */
export function isAtRest({ stage }: OutboxJob): boolean {
  return stage === 'failed' || stage === 'recorded';
}

/** The code of a job whose entry was deleted: its bytes stay for a while, since the deletion may be undone. */
export const entryDeletedCode = 'entry-deleted';

export function isOfDeleted({ code }: OutboxJob): boolean {
  return code === entryDeletedCode;
}

/** Whether no upload was attempted, so that the server cannot have it. */
export function isUntouched({ stage, attempts }: OutboxJob): boolean {
  return (stage === 'recorded' || stage === 'queued') && attempts === 0;
}

/** Whether the code says that the server has the recording, and refuses to transcribe it. */
export function isAboutTranscript(code: string | null): boolean {
  return code?.startsWith('words-') === true;
}

/** Whether its entry refers to the file, so that deleting the entry also removes the file. */
export function isTold({ stage, code }: OutboxJob): boolean {
  return stage === 'transcribing' || stage === 'done' || isAboutTranscript(code);
}

/** Whether it exists on this device only, and is still wanted. */
export function isUnsent({ stage, code }: OutboxJob): boolean {
  return stage !== 'transcribing' && stage !== 'done' && code !== entryDeletedCode;
}

/** Whether another pass could advance it. */
export function hasWorkLeft(job: OutboxJob): boolean {
  return !isAtRest(job) && !isOfDeleted(job);
}

export function pictureJobId(petId: string): string {
  return `profile-picture:${petId}`;
}

/** The file extension by content type. These are the types that the server's rules accept. */
export const pictureExtensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** Returns when the picture of a pet was chosen, in epoch milliseconds; 0 if unknown. */
export function pictureStamp(edits: EditStamps): number {
  return Math.max(edits['profilePicturePath'] ?? 0, edits['profilePictureVersion'] ?? 0);
}

/** Returns the content type of a picture by its name on the server. */
export function pictureType(objectName: string | null): string {
  const extension = /[^.]*$/.exec(objectName ?? '')?.[0];
  const types = Object.entries(pictureExtensions);
  return types.find(([, known]) => known === extension)?.[0] ?? 'image/jpeg';
}

export function picturePath(petId: string, extension: string): string {
  return `pets/${petId}/images/profile.${extension}`;
}
