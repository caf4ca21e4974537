import type { EditStamps, Fields, SyncedCollection } from '../schemas/documents/sync-state.ts';
import type { TranscribeAnswer } from '../schemas/transcription.ts';

/** `sync/{uid}`: the owner's clock. Commits are serialised by it, so the order of seq is the order of commits. */
export interface Head {
  /** The highest seq given out so far. */
  readonly head: number;
  /** Random, made with the document: another one means another server history. */
  readonly epoch: string;
}

export interface DocumentRef {
  readonly collection: SyncedCollection;
  readonly id: string;
  /** The pet of an entry; null for a pet. */
  readonly petId: string | null;
}

/** A document as the server has it, checked and in this device's units (epoch milliseconds, `YYYY-MM-DD`). */
export interface RemoteDocument extends DocumentRef {
  readonly ownerId: string;
  readonly fields: Fields;
  readonly edits: EditStamps;
  readonly deleted: boolean;
  /** 0 if an earlier client wrote it without one. */
  readonly seq: number;
  /** Server time of the last commit, epoch milliseconds; null if an earlier client wrote it. */
  readonly updatedAtMs: number | null;
  /** True if this client cannot read all of it: shown read-only, never pushed. */
  readonly newerSchema: boolean;
}

/**
 * A write of everything this client knows of a document. Known fields that are absent from `fields` are cleared; fields
 * this client does not know are left alone, except by a tombstone, which clears all it knows.
 */
export interface RemoteWrite extends DocumentRef {
  readonly ownerId: string;
  readonly fields: Fields;
  readonly edits: EditStamps;
  readonly deleted: boolean;
  readonly seq: number;
}

/** What a transaction has read: the head and each document asked for (null: not there), keyed by {@link refKey}. */
export interface TransactionView {
  readonly head: Head | null;
  readonly documents: ReadonlyMap<string, RemoteDocument | null>;
}

/**
 * What a transaction decides on. Nothing is committed if there are no writes and `head` equals the one read; a `head` that
 * differs is committed also without writes, which is how a restored server gets its new epoch.
 */
export interface TransactionPlan<Result> {
  readonly head: Head;
  readonly writes: readonly RemoteWrite[];
  readonly result: Result;
}

/**
 * The server's documents of one signed-in owner. Implementations read the server only, never a cache, and fail with a
 * {@link RemoteError} only.
 */
export interface RemoteDocuments {
  readHead(): Promise<Head | null>;
  /** Documents with a greater seq, tombstones included, in the order of seq, at most `limit`. */
  pull(collection: SyncedCollection, afterSeq: number, limit: number): Promise<RemoteDocument[]>;
  /** Whether there are documents without a seq, written by an earlier client of the same database. */
  hasUnsequenced(collection: SyncedCollection): Promise<boolean>;
  /** The sum of the seqs of all documents. */
  sumOfSeqs(collection: SyncedCollection): Promise<number>;
  /** All documents, with a seq or without, in the order of their paths after the one of `after`, at most `limit`. */
  scan(
    collection: SyncedCollection,
    after: Pick<DocumentRef, 'id' | 'petId'> | null,
    limit: number,
  ): Promise<RemoteDocument[]>;
  /**
   * Reads the head and the documents, decides, and commits all writes and the new head, or nothing, in one step that no
   * other commit can come between. `decide` has no side effects: it may be called again when another commit came first.
   */
  transact<Result>(
    refs: readonly DocumentRef[],
    decide: (view: TransactionView) => TransactionPlan<Result>,
  ): Promise<Result>;
  /** Ends what is under way: nobody waits for it any more. */
  abandon(): void;
}

/**
 * - `transient`: no answer, or one that says nothing about the request (offline, time-out, 5xx, 401, HTML, bad JSON, a
 *   transaction that lost every race). Try again later.
 * - `permanent`: the server understood and refused. The same request will be refused again.
 */
export type RemoteErrorKind = 'transient' | 'permanent';

export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly kind: RemoteErrorKind;
  /** The server's word in lower case, as `permission-denied`, or one of ours, as `not-firestore`. */
  readonly code: string;

  constructor(kind: RemoteErrorKind, code: string, options?: ErrorOptions) {
    super(`${kind}: ${code}`, options);
    this.kind = kind;
    this.code = code;
  }
}

/** A file as the server has stored it, in the server's words. */
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
   * The hash of the only file that it may take the place of, null if there must be none. If there is another one, the
   * server stores nothing, and the upload fails as `transient: replaced`. Left out, it takes the place of any file.
   */
  readonly replaces?: string | null;
}

export interface DownloadedFile extends StoredFile {
  readonly contentType: string;
  /** Compared with size and hash already. */
  readonly bytes: ArrayBuffer;
}

/**
 * The server's files of one signed-in owner. Implementations keep no cache, end at the limits of the product (120 s, of an
 * upload 600 s) and fail with a {@link RemoteError} only, or with the signal's reason once it is aborted.
 */
export interface RemoteFiles {
  /** Stores a file in place of one of the same name. Doing it twice is harmless. @returns what the server confirmed. */
  upload(file: FileToUpload, signal: AbortSignal): Promise<StoredFile>;
  /** null: there is no such file. */
  stat(objectName: string, signal: AbortSignal): Promise<StoredFile | null>;
  /** null: there is no such file. */
  download(objectName: string, signal: AbortSignal): Promise<DownloadedFile | null>;
  /** Done as well if there is no such file. */
  remove(objectName: string, signal: AbortSignal): Promise<void>;
}

/** Has the server listen to a recording of the signed-in owner that it has. */
export interface Transcriber {
  /**
   * Fails with a {@link RemoteError}, whose codes begin with `words-` where the server itself has answered, or with the
   * signal's reason once it is aborted. @returns an empty text if nobody speaks in it.
   */
  transcribe(fileLocation: string, signal: AbortSignal): Promise<TranscribeAnswer>;
}

/** Says that the server may have something new. A hint only: sync is correct without it. */
export interface Bell {
  /** @returns a function that stops listening. */
  listen(onRing: () => void): () => void;
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

/** One holder at a time over all tabs and the worker of this device. */
export interface ExclusiveLock {
  /**
   * Waits for the lock, then runs `work` while holding it. `signal` inside tells that it was taken away; `stop` gives up
   * waiting or asks the holder to end. Resolves when `work` has ended or waiting was given up.
   */
  hold(work: (signal: AbortSignal) => Promise<void>, stop: AbortSignal): Promise<void>;
}

/** Ids, codes and counts only; never a name, text or audio. */
export type Log = (event: string, details?: Readonly<Record<string, string | number>>) => void;

export function refKey(ref: Pick<DocumentRef, 'collection' | 'id'>): string {
  return `${ref.collection}/${ref.id}`;
}
