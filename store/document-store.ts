import type { LocalDocument } from '../schemas/document.ts';
import type { LocalRecord, LocalRecordKind } from '../schemas/local-record.ts';
import type { Pending, SyncedCollection } from '../schemas/sync-state.ts';

/** A document together with the revision it was read at, which is what {@link DocumentStore.commit} compares. */
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

/** A record with its id; null removes it, and one that is not there is no error. */
export type RecordWrite = readonly [id: string, record: LocalRecord | null];

/** The writes of one commit. */
export interface Writes {
  /** A swap names a document of any collection; a commit has at most one for each document. */
  readonly swaps?: readonly Swap[];
  /** Documents that are removed without a tombstone, which the server never had. */
  readonly forgotten?: readonly Stored[];
  /** Pets that must be there and not deleted, though nothing is written of them. */
  readonly livePets?: readonly string[];
  /** Records are replaced whatever is there. */
  readonly records?: readonly RecordWrite[];
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

  readRecord(id: string): Promise<LocalRecord | null>;
  listRecords(kind: LocalRecordKind): Promise<ReadonlyMap<string, LocalRecord>>;

  /**
   * Compare and set: everything is written in one transaction.
   * @returns false, with nothing written, if one of the documents is not as it was read, or a pet is gone.
   */
  commit(writes: Writes): Promise<boolean>;
}
