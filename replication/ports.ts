import type { SharedDocument } from '../schemas/documents/document.ts';
import type { SyncedCollection } from '../schemas/documents/sync-state.ts';
import type { TranscribeAnswer } from '../schemas/transcription.ts';

/**
 * The document `sync/{uid}`, the owner's logical clock. It serialises commits, so the order of seq is the order of
 * commits.
 */
export interface Head {
  /** The highest seq assigned so far. */
  readonly head: number;
  /** Random, created with the document: another value means another server history. */
  readonly epoch: string;
}

export type DocumentRef = Pick<SharedDocument, 'collection' | 'id' | 'petId'>;

/** A document as the server has it, validated and in this device's units (epoch milliseconds, `YYYY-MM-DD`). */
export interface RemoteDocument extends SharedDocument {
  /** 0 if an earlier client wrote it without one. */
  readonly seq: number;
  /** Server time of the last commit, epoch milliseconds; null if an earlier client wrote it. */
  readonly updatedAtMs: number | null;
  /** True if this client cannot read all of it: it is shown read-only and never pushed. */
  readonly newerSchema: boolean;
}

/**
 * A write of all fields that this client knows. Known fields that are absent from `fields` are cleared; fields that
 * this client does not know are left alone, except by a tombstone, which clears all fields it knows.
 */
export interface RemoteWrite extends SharedDocument {
  readonly seq: number;
}

/**
 * The state that a transaction has read: the head and each requested document (null: it does not exist), keyed by
 * {@link refKey}.
 */
export interface TransactionView {
  readonly head: Head | null;
  readonly documents: ReadonlyMap<string, RemoteDocument | null>;
}

/**
 * The outcome that a transaction decides on. Nothing is committed if there are no writes and `head` equals the one
 * read, or is null. Another `head` is committed also without writes, which is how a restored server gets its new epoch.
 */
export interface TransactionPlan<Result> {
  readonly head: Head | null;
  readonly writes: readonly RemoteWrite[];
  readonly result: Result;
}

/**
 * The server's documents of one signed-in owner. Implementations read from the server, never from a cache, and reject
 * only with a {@link RemoteError}, or with the signal's reason once that has aborted.
 */
export interface RemoteDocuments {
  readHead(): Promise<Head | null>;
  /** Returns documents with a greater seq, tombstones included, in order of seq: `limit` of them, or all. */
  pull(collection: SyncedCollection, afterSeq: number, limit: number): Promise<RemoteDocument[]>;
  /** Whether there are documents without a seq, written by an earlier client of the same database. */
  hasUnsequenced(collection: SyncedCollection): Promise<boolean>;
  /** Returns the sum of the seqs of all documents. */
  sumOfSeqs(collection: SyncedCollection): Promise<number>;
  /** Returns all documents, with or without a seq, in the order of their paths after `after`: `limit` of them, or all. */
  scan(
    collection: SyncedCollection,
    after: Pick<DocumentRef, 'id' | 'petId'> | null,
    limit: number,
  ): Promise<RemoteDocument[]>;
  /**
   * Reads the head and the documents, decides, and commits all writes and the new head atomically, or nothing. `decide`
   * has no side effects: it is called again when another commit came first.
   */
  transact<Result>(
    refs: readonly DocumentRef[],
    decide: (view: TransactionView) => TransactionPlan<Result>,
  ): Promise<Result>;
  /** Aborts the requests in flight, whose results are no longer needed. */
  abandon(): void;
}

/**
 * - `transient`: no answer, or one that says nothing about the request (offline, time-out, 5xx, 401, HTML, bad JSON, a
 *   transaction that lost every race). Retry later.
 * - `permanent`: the server understood and refused. The same request will be refused again.
 */
export type RemoteErrorKind = 'transient' | 'permanent';

export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly kind: RemoteErrorKind;
  /** The server's code in lower case, as `permission-denied`, or one of this app's, as `not-firestore`. */
  readonly code: string;

  constructor(kind: RemoteErrorKind, code: string, options?: ErrorOptions) {
    super(`${kind}: ${code}`, options);
    this.kind = kind;
    this.code = code;
  }
}

/** The server's metadata of a stored file. */
export interface StoredFile {
  readonly objectName: string;
  readonly byteLength: number;
  /** Base64. */
  readonly md5: string;
}

export interface FileToUpload {
  readonly objectName: string;
  readonly contentType: string;
  readonly bytes: ArrayBuffer;
  /**
   * The hash of the only file that it may replace; null if there must be none. If another file is there, the server
   * stores nothing and the upload fails as `transient: replaced`. If absent, it replaces any file.
   */
  readonly replaces?: string | null;
}

export interface DownloadedFile extends StoredFile {
  readonly contentType: string;
  /** Already verified against size and hash. */
  readonly bytes: ArrayBuffer;
}

/**
 * The server's files of one signed-in owner. Implementations keep no cache, time out at the limits of the product (120
 * s, 600 s for an upload) and reject only with a {@link RemoteError}, or with the signal's reason once it is aborted.
 */
export interface RemoteFiles {
  /** Stores a file and replaces one of the same name. Idempotent. @returns the metadata that the server confirmed. */
  upload(file: FileToUpload, signal: AbortSignal): Promise<StoredFile>;
  /** @returns null if there is no such file. */
  stat(objectName: string, signal: AbortSignal): Promise<StoredFile | null>;
  /** @returns null if there is no such file. */
  download(objectName: string, signal: AbortSignal): Promise<DownloadedFile | null>;
  /** Removes a file. Resolves also if there is no such file. */
  remove(objectName: string, signal: AbortSignal): Promise<void>;
}

/** Requests the transcript of a recording of the signed-in owner that the server has. */
export interface Transcriber {
  /**
   * Rejects with a {@link RemoteError}, whose codes begin with `words-` if the server itself has answered, or with the
   * signal's reason once it is aborted. @returns an empty text if nobody speaks in it.
   */
  transcribe(fileLocation: string, signal: AbortSignal): Promise<TranscribeAnswer>;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** @returns a function that cancels. */
  after(delayMs: number, run: () => void): () => void;
}

export interface OnlineSignal {
  isOnline(): boolean;
  /** @returns a function that stops watching. */
  watch(onChange: (online: boolean) => void): () => void;
}

/** A lock with one holder at a time over all tabs and the worker of this device. */
export interface ExclusiveLock {
  /**
   * Waits for the lock, then runs `work` while holding it. The signal that `work` gets is aborted when the lock is
   * stolen; `stop` gives up waiting or asks the holder to end. Resolves when `work` has ended or waiting was given up.
   */
  hold(work: (signal: AbortSignal) => Promise<void>, stop: AbortSignal): Promise<void>;
}

/** Logs ids, codes and counts only; never a name, text or audio. */
export type Log = (event: string, details?: Readonly<Record<string, string | number>>) => void;

export function refKey(ref: Pick<DocumentRef, 'collection' | 'id'>): string {
  return `${ref.collection}/${ref.id}`;
}
