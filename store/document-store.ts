import type { LocalDocument } from '../schemas/documents/document.ts';
import type { FileBytes } from '../schemas/local/file-bytes.ts';
import type { LocalRecord, LocalRecordKind, RecordOf } from '../schemas/local/local-record.ts';
import type { OutboxJob } from '../schemas/local/outbox-job.ts';
import type { Pending, SyncedCollection } from '../schemas/documents/sync-state.ts';

/** A document together with the revision it was read at, which is what {@link DocumentStore.commit} compares. */
export interface Stored {
  readonly document: LocalDocument;
  /** Opaque; changes with every write. */
  readonly revision: string;
}

export interface Swap {
  /** The document as it was read; null if there was none. */
  readonly from: Stored | null;
  readonly to: LocalDocument;
}

/**
 * A record with its id; null removes it. Removing a missing record is no error. With `from`, the record as it was read (null
 * if there was none), it is compared; else it is replaced whatever it is.
 */
export type RecordWrite = readonly [
  id: string,
  record: LocalRecord | null,
  from?: LocalRecord | null,
];

export interface JobSwap {
  /** The job as it was read; null if there was none of that id. */
  readonly from: OutboxJob | null;
  /** null removes the job. */
  readonly to: OutboxJob | null;
}

/**
 * Bytes with their id. They replace bytes of the same document, and the same bytes of another; other bytes of another
 * document under that id fail the commit. null removes them, unless a job or a version needs them after this commit.
 * Removing missing bytes is no error. With `from` null, any bytes under that id fail the commit.
 */
export type BytesWrite = readonly [id: string, bytes: FileBytes | null, from?: null];

/** The writes of one commit. */
export interface Writes {
  /** A swap names a document of any collection; a commit has at most one for each document. */
  readonly swaps?: readonly Swap[];
  /** Documents to remove without a tombstone, which the server never had. */
  readonly forgotten?: readonly Stored[];
  /** Pets that must exist and not be deleted, although the commit does not write them. */
  readonly livePets?: readonly string[];
  readonly records?: readonly RecordWrite[];
  /** A swap names a job of any kind; a commit has at most one for each. */
  readonly jobs?: readonly JobSwap[];
  readonly bytes?: readonly BytesWrite[];
  /** Ids of recordings to remove, with all their pieces. */
  readonly recordings?: readonly string[];
}

/** Combines writes into one commit. */
export function together(...all: readonly Writes[]): Required<Writes> {
  return {
    swaps: all.flatMap(({ swaps = [] }) => swaps),
    forgotten: all.flatMap(({ forgotten = [] }) => forgotten),
    livePets: all.flatMap(({ livePets = [] }) => livePets),
    records: all.flatMap(({ records = [] }) => records),
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    bytes: all.flatMap(({ bytes = [] }) => bytes),
    recordings: all.flatMap(({ recordings = [] }) => recordings),
  };
}

/** Whether there is nothing to write, regardless of the conditions. */
export function isNothing(writes: Writes): boolean {
  return Object.entries(writes).every(([name, list]) => name === 'livePets' || list.length === 0);
}

/** A page of a list in order of id: at most `limit` documents with an id above `afterId` (`''`: from the start). */
export interface PageById {
  readonly afterId: string;
  readonly limit: number;
}

/**
 * This device's documents, as commands and sync see them.
 *
 * - A resolved write is durable.
 * - A commit is atomic, and all tabs see all of it at once.
 * - A deleted document is a tombstone.
 */
export interface DocumentStore {
  get(collection: SyncedCollection, ids: readonly string[]): Promise<Map<string, Stored>>;
  /** Returns documents in that state. */
  listPending(
    collection: SyncedCollection,
    state: Exclude<Pending, 0>,
    page: PageById,
  ): Promise<Stored[]>;
  /** Returns all documents, tombstones included. */
  listAll(collection: SyncedCollection, page: PageById): Promise<Stored[]>;
  /** Returns the live entries of a pet. */
  listEntriesOfPet(petId: string, page: PageById): Promise<Stored[]>;

  readRecord(id: string): Promise<LocalRecord | null>;
  listRecords<Kind extends LocalRecordKind>(
    kind: Kind,
  ): Promise<ReadonlyMap<string, RecordOf<Kind>>>;

  /**
   * Writes everything in one transaction, by compare-and-set.
   * @returns false, with nothing written, if a document, job or compared record has changed since it was read, a pet is gone, or another
   * document has a file under the id of bytes.
   */
  commit(writes: Writes): Promise<boolean>;
}

/** Returns the documents of those ids that exist, tombstones included. */
export async function documentsOf(
  store: Pick<DocumentStore, 'get'>,
  collection: SyncedCollection,
  ids: Iterable<string>,
): Promise<Map<string, LocalDocument>> {
  const stored = await store.get(collection, [...new Set(ids)]);
  return new Map([...stored].map(([id, { document }]) => [id, document]));
}
