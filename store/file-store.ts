import { isVersionId, type FileBytes } from '../schemas/local/file-bytes.ts';
import type { OutboxKind } from '../schemas/local/outbox-job.ts';
import type { RecordingChunk, StoredRecording } from '../schemas/documents/voice-note.ts';

/** A value that changes: part of what RxJS and Dexie have. */
export interface Watchable<T> {
  subscribe(observer: {
    readonly next: (value: T) => void;
    readonly error: (error: unknown) => void;
  }): { unsubscribe(): void };
}

/** The id of stored bytes and of the document they belong to, from the index alone. */
export type BytesInfo = Pick<FileBytes, 'id' | 'documentId'>;

/** The limits of the caches. */
export interface Room {
  /** At most as many bytes of each kind. */
  readonly maxBytes: Readonly<Record<OutboxKind, number>>;
  /** Nothing stays of these pets. */
  readonly withoutPets?: ReadonlySet<string>;
}

/**
 * The bytes of one owner's files on this device, and recordings under way. They are written by `DocumentStore.commit`,
 * together with the jobs and documents that they belong to; what is done to them alone is here.
 */
export interface FileStore {
  read(id: string): Promise<FileBytes | null>;
  list(kind: OutboxKind): Promise<readonly BytesInfo[]>;
  /** It was looked at or listened to. Bytes that are not there are no error. */
  touch(id: string, usedAtMs: number): Promise<void>;
  /** Lets go of what nothing here needs: versions that are no versions any more, and those in a cache not used for longest. */
  evictLeastRecentlyUsed(room: Room): Promise<void>;
  /** The result of `read`, now and again after each commit of a row or bytes that concern it, in this tab or another. */
  watch<T>(read: () => Promise<T>, isConcerned: (id: string) => boolean): Watchable<T>;

  /** Durable when it resolves. Fails if the device has no room. */
  beginRecording(recording: StoredRecording): Promise<void>;
  /** Durable when it resolves. */
  addPiece(piece: RecordingChunk): Promise<void>;
  listRecordings(): Promise<readonly StoredRecording[]>;
  /** null if it is not there. The pieces in the order in which they were recorded. */
  readRecording(id: string): Promise<WholeRecording | null>;
}

export interface WholeRecording {
  readonly recording: StoredRecording;
  readonly pieces: readonly RecordingChunk[];
}

export interface ListedBytes extends BytesInfo {
  readonly usedAtMs: number;
  readonly byteLength: number;
}

/**
 * @param found of one kind, that used least lately first.
 * @param needed ids of those that must stay.
 * @returns the ids of those that go.
 */
export function beyondRoom(
  found: readonly ListedBytes[],
  needed: ReadonlySet<string>,
  {
    maxBytes,
    withoutPets,
  }: { readonly maxBytes: number; readonly withoutPets: ReadonlySet<string> },
): readonly string[] {
  let total = 0;
  const goes = ({ id, documentId, byteLength }: ListedBytes): boolean => {
    if (isVersionId(id) || withoutPets.has(documentId)) return true;
    total += byteLength;
    return total > maxBytes;
  };
  return found
    .filter(({ id }) => !needed.has(id))
    .toReversed()
    .filter(goes)
    .map(({ id }) => id);
}
