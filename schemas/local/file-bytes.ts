import type { LocalRecord, LocalRecordKind } from './local-record.ts';
import type { OutboxJob, OutboxKind } from './outbox-job.ts';

/** The bytes of a file on this device: on their way to the server, kept as another version, or cached. */
export interface FileBytes {
  /** {@link bytesIdOf} a job, {@link cachedPictureId}, or the name of a recording on the server. */
  readonly id: string;
  readonly kind: OutboxKind;
  /** The pet or the entry that the file belongs to. */
  readonly documentId: string;
  readonly contentType: string;
  readonly bytes: ArrayBuffer;
  readonly byteLength: number;
  /** MD5 of the bytes in base64, as Cloud Storage writes it. */
  readonly md5: string;
  /** Epoch milliseconds; of those that may go, the one not used for longest goes first. */
  readonly usedAtMs: number;
}

/** The picture of a pet that the server has, for a look without a connection. A pet has one. */
export function cachedPictureId(petId: string): string {
  return `cached-picture:${petId}`;
}

const picturePrefix = 'picture:';

/** The id of the bytes of a picture that is on its way or kept as another version: a pet may have several, with other hashes. */
export function pictureBytesId({ petId, md5 }: Pick<OutboxJob, 'petId' | 'md5'>): string {
  return `${picturePrefix}${md5}:${petId}`;
}

/** Whether bytes are those of {@link pictureBytesId}, which are removed once no record needs them, and never cached. */
export function isVersionId(id: string): boolean {
  return id.startsWith(picturePrefix);
}

/** Nothing else is ever stored on the server under the name of a recording; pictures of a pet share one. */
export function bytesIdOf(job: OutboxJob): string {
  return job.kind === 'voice-note' ? job.objectName : pictureBytesId(job);
}

/** Whether the bytes found under that id are another document's file, which must not be written over. */
export function isOther(found: FileBytes | undefined, bytes: FileBytes): boolean {
  return found !== undefined && found.documentId !== bytes.documentId && found.md5 !== bytes.md5;
}

/** The picture that a record keeps as another version, or is restoring; null if it keeps none. */
export function pictureVersionOf(record: LocalRecord): Pick<OutboxJob, 'petId' | 'md5'> | null {
  if (record.kind === 'place-file') {
    return record.version === null ? null : { petId: record.sourceId, md5: record.version };
  }
  if (record.kind !== 'loser') return null;
  const md5 = record.fields['profilePictureVersion'];
  return typeof md5 === 'string' ? { petId: record.documentId, md5 } : null;
}

/** The kinds of records that say which bytes are needed. */
export const bytesHolders = [
  'outbox-job',
  'loser',
  'place-file',
] as const satisfies LocalRecordKind[];

/** Ids of bytes that must stay, whatever room they take: files on their way, and versions that can be restored. */
export function neededBytes(records: Iterable<LocalRecord>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const record of records) {
    const version = pictureVersionOf(record);
    if (record.kind === 'outbox-job') ids.add(bytesIdOf(record.job));
    if (version !== null) ids.add(pictureBytesId(version));
  }
  return ids;
}
