import type { LocalRecord, LocalRecordKind } from './local-record.ts';
import type { OutboxJob, OutboxKind } from './outbox-job.ts';

/** The bytes of a file on this device: pending upload, kept as a conflict version, or cached. */
export interface FileBytes {
  /** {@link bytesIdOf} of a job, {@link cachedPictureId}, or the name of a recording on the server. */
  readonly id: string;
  readonly kind: OutboxKind;
  /** The pet or the entry that the file belongs to. */
  readonly documentId: string;
  readonly contentType: string;
  readonly bytes: ArrayBuffer;
  readonly byteLength: number;
  /** Like {@link OutboxJob.md5}. */
  readonly md5: string;
  /** The time of last use in epoch milliseconds, for LRU eviction. */
  readonly usedAtMs: number;
}

/** Returns the id of a pet's cached picture. A pet has one. */
export function cachedPictureId(petId: string): string {
  return `cached-picture:${petId}`;
}

/** Identifies a picture of a pet by its hash. */
export type PictureId = Pick<OutboxJob, 'petId' | 'md5'>;

const picturePrefix = 'picture:';

/**
 * Returns the id of a picture that is pending or a conflict version. A pet may have several, with different hashes.
 */
export function pictureBytesId({ petId, md5 }: PictureId): string {
  return `${picturePrefix}${md5}:${petId}`;
}

/**
 * Whether bytes have an id by {@link pictureBytesId}. They are removed once no record needs them, and are no cache.
 */
export function isVersionId(id: string): boolean {
  return id.startsWith(picturePrefix);
}

/** Returns the id of a job's bytes. The name of a recording is unique on the server; pictures of a pet share one. */
export function bytesIdOf(job: OutboxJob): string {
  return job.kind === 'voice-note' ? job.objectName : pictureBytesId(job);
}

function isSame(one: ArrayBuffer, other: ArrayBuffer): boolean {
  if (one.byteLength !== other.byteLength) return false;
  const others = new Uint8Array(other);
  return new Uint8Array(one).every((byte, index) => byte === others[index]);
}

/** Whether the bytes under that id are another document's file, which must not be overwritten. */
export function isOther(
  found: FileBytes | undefined,
  { documentId, bytes }: Pick<FileBytes, 'documentId' | 'bytes'>,
): boolean {
  return found !== undefined && found.documentId !== documentId && !isSame(found.bytes, bytes);
}

/** Returns the picture that a record keeps as a conflict version, or restores; null if it has none. */
export function pictureVersionOf(record: LocalRecord): PictureId | null {
  if (record.kind === 'place-file') {
    return record.version === null ? null : { petId: record.sourceId, md5: record.version };
  }
  if (record.kind !== 'conflict-version') return null;
  const md5 = record.fields['profilePictureVersion'];
  return typeof md5 === 'string' ? { petId: record.documentId, md5 } : null;
}

/** The kinds of records that refer to bytes. */
export const bytesHolders = [
  'outbox-job',
  'conflict-version',
  'place-file',
] as const satisfies LocalRecordKind[];

/** Returns the ids of bytes that are never evicted: pending uploads, and conflict versions. */
export function neededBytes(records: Iterable<LocalRecord>): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const record of records) {
    const version = pictureVersionOf(record);
    if (record.kind === 'outbox-job') ids.add(bytesIdOf(record.job));
    if (version !== null) ids.add(pictureBytesId(version));
  }
  return ids;
}
