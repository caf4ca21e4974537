import { isVersionId, type FileBytes } from '../schemas/local/file-bytes.ts';
import type { OutboxKind } from '../schemas/local/outbox-job.ts';
import type { RecordingChunk, StoredRecording } from '../schemas/documents/voice-note.ts';

/** An observable value: the common part of RxJS and Dexie. */
export interface Watchable<T> {
  subscribe(observer: {
    readonly next: (value: T) => void;
    readonly error: (error: unknown) => void;
  }): { unsubscribe(): void };
}

/** The id of stored bytes and of their document, which the index contains. */
export type BytesInfo = Pick<FileBytes, 'id' | 'documentId'>;

/** The limits of the caches. */
export interface Room {
  /** The maximum number of bytes of each kind. */
  readonly maxBytes: Readonly<Record<OutboxKind, number>>;
  /** Pets whose pictures are all removed. */
  readonly withoutPets?: ReadonlySet<string>;
}

/**
 * The bytes of one owner's files on this device, and recordings in progress. `DocumentStore.commit` writes them,
 * together with their jobs and documents; the writes that concern bytes only are here.
 */
export interface FileStore {
  read(id: string): Promise<FileBytes | null>;
  list(kind: OutboxKind): Promise<readonly BytesInfo[]>;
  /** Records a use of the bytes. Missing bytes are no error. */
  touch(id: string, usedAtMs: number): Promise<void>;
  /** Evicts bytes that nothing refers to any more, and the least recently used ones above the cache limits. */
  evictLeastRecentlyUsed(room: Room): Promise<void>;
  /**
   * Watches the result of `read`: now and after each commit of rows or bytes that concern it, in this tab or another.
   */
  watch<T>(read: () => Promise<T>, isConcerned: (id: string) => boolean): Watchable<T>;

  /** Durable when it resolves. Rejects if the device is out of storage. */
  beginRecording(recording: StoredRecording): Promise<void>;
  /** Durable when it resolves. */
  addPiece(piece: RecordingChunk): Promise<void>;
  listRecordings(): Promise<readonly StoredRecording[]>;
  /** Returns a recording with its pieces in order; null if there is none. */
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
 * @param found the bytes of one kind, least recently used first. @param needed ids of bytes that must stay.
 * @returns the ids to evict.
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
