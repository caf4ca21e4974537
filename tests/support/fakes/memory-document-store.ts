import { isDeepStrictEqual } from 'node:util';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { recordsOf, type LocalRecord } from '../../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import type {
  DocumentStore,
  JobSwap,
  RecordWrite,
  PageById,
  Stored,
} from '../../../store/document-store.ts';
import type { FileStore } from '../../../store/file-store.ts';
import { createMemoryFiles } from './memory-file-store.ts';

export interface MemoryDocumentStore extends DocumentStore {
  /** Returns all documents of a collection, tombstones included, without going through the port. */
  documents(collection: SyncedCollection): LocalDocument[];
  records(): ReadonlyMap<string, LocalRecord>;
  /** Writes synchronously, as a command of the same device would. */
  put(document: LocalDocument): void;
  /** Removes a document without a tombstone, as discarding one that never was on the server does. */
  forget(collection: SyncedCollection, id: string): void;
  /** The bytes and recordings that are committed to this store. */
  readonly files: FileStore;
}

function byId(one: Stored, other: Stored): number {
  return one.document.id < other.document.id ? -1 : 1;
}

function pageOf(all: Iterable<Stored>, { afterId, limit }: PageById): Stored[] {
  return [...all]
    .filter(({ document }) => document.id > afterId)
    .toSorted(byId)
    .slice(0, limit);
}

function recordOfJob({ from, to }: JobSwap): RecordWrite {
  const recordOf = (job: JobSwap['to']) => job && ({ kind: 'outbox-job', job } as const);
  return [to?.id ?? from?.id ?? '', recordOf(to), recordOf(from)];
}

/**
 * Creates a {@link DocumentStore} in memory. Its data persists as long as the object, so several engines can use it in
 * turn.
 */
export function createMemoryDocumentStore(): MemoryDocumentStore {
  const tables: Record<SyncedCollection, Map<string, Stored>> = {
    pets: new Map(),
    entries: new Map(),
  };
  const records = new Map<string, LocalRecord>();
  const files = createMemoryFiles(records);
  let revision = 0;

  const write = (document: LocalDocument): void => {
    revision += 1;
    tables[document.collection].set(document.id, { document, revision: String(revision) });
  };

  const isAs = (from: Stored | null, { collection, id }: LocalDocument): boolean =>
    tables[collection].get(id)?.revision === from?.revision;

  const isAsSeen = ([id, , from]: RecordWrite): boolean =>
    from === undefined || isDeepStrictEqual(records.get(id) ?? null, from);

  const values = (collection: SyncedCollection): Stored[] => [...tables[collection].values()];

  return {
    get: async (collection, ids) =>
      new Map(
        ids.flatMap((id) => {
          const stored = tables[collection].get(id);
          return stored ? [[id, stored] as const] : [];
        }),
      ),
    listPending: async (collection, state, page) =>
      pageOf(
        values(collection).filter(({ document }) => document.pending === state),
        page,
      ),
    listAll: async (collection, page) => pageOf(values(collection), page),
    listEntriesOfPet: async (petId, page) =>
      pageOf(
        values('entries').filter(({ document }) => document.petId === petId && !document.deleted),
        page,
      ),
    readRecord: async (id) => records.get(id) ?? null,
    listRecords: async (kind) => recordsOf(records, kind),
    commit: async (writes) => {
      const {
        swaps = [],
        forgotten = [],
        livePets = [],
        records: written = [],
        jobs = [],
      } = writes;
      const allRecords = [...written, ...jobs.map(recordOfJob)];
      const compared = [
        ...swaps.map(({ from, to }) => isAs(from, to)),
        ...forgotten.map((stored) => isAs(stored, stored.document)),
        ...livePets.map((id) => tables.pets.get(id)?.document.deleted === false),
        ...allRecords.map(isAsSeen),
        files.canWrite(writes),
      ];
      if (compared.includes(false)) return false;
      for (const { to } of swaps) write(to);
      for (const { document } of forgotten) tables[document.collection].delete(document.id);
      for (const [id, record] of allRecords) {
        if (record === null) records.delete(id);
        else records.set(id, structuredClone(record));
      }
      files.write(writes);
      return true;
    },
    files,
    documents: (collection) => values(collection).map(({ document }) => document),
    records: () => records,
    put: write,
    forget: (collection, id) => {
      tables[collection].delete(id);
    },
  };
}
