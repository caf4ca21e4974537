import type { LocalDocument } from '../schemas/document.ts';
import type { LocalRecord, LocalRecordKind } from '../schemas/local-record.ts';
import type { Pending, SyncedCollection } from '../schemas/sync-state.ts';

/** A document together with the revision it was read at, which is what {@link DocumentStore.swap} compares. */
export interface Stored {
  readonly document: LocalDocument;
  /** Opaque; another value after every write by anyone. */
  readonly revision: string;
}

export interface Swap {
  /** What was read before; null if there was none. */
  readonly from: Stored | null;
  readonly to: LocalDocument;
}

/**
 * This device's documents, as sync sees them.
 *
 * - A resolved write is durable.
 * - A write of several documents is atomic per document, not over all of them.
 * - Nothing here deletes a document: a deleted one is a tombstone.
 */
export interface DocumentStore {
  get(collection: SyncedCollection, ids: readonly string[]): Promise<Map<string, Stored>>;
  /** Documents in that state with an id above `afterId` (`''`: from the start), in order of id. */
  listPending(
    collection: SyncedCollection,
    state: Exclude<Pending, 0>,
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<Stored[]>;
  /** All documents, page by page, in order of id. */
  listAll(
    collection: SyncedCollection,
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<Stored[]>;
  /** The live entries of a pet, page by page, in order of id. */
  listEntriesOfPet(
    petId: string,
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<Stored[]>;
  /**
   * Compare and set: writes `to` where the stored revision is still that of `from`.
   * @returns ids of the documents that somebody else had changed; those were not written.
   */
  swap(collection: SyncedCollection, swaps: readonly Swap[]): Promise<ReadonlySet<string>>;

  readRecord(id: string): Promise<LocalRecord | null>;
  listRecords(kind: LocalRecordKind): Promise<ReadonlyMap<string, LocalRecord>>;
  /** Inserts or replaces. */
  writeRecord(id: string, record: LocalRecord): Promise<void>;
  /** A record that is not there is no error. */
  removeRecord(id: string): Promise<void>;
}
