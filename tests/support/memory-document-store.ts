import type { LocalDocument } from '../../schemas/document.ts';
import type { LocalRecord, LocalRecordKind } from '../../schemas/local-record.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import type { DocumentStore, Stored, Swap } from '../../store/document-store.ts';

export interface MemoryDocumentStore extends DocumentStore {
  /** Everything in a collection, tombstones included, without going through the port. */
  documents(collection: SyncedCollection): LocalDocument[];
  records(): ReadonlyMap<string, LocalRecord>;
  /** Writes at once, as a command of the same device would. */
  put(document: LocalDocument): void;
  /** Forgets a document, as discarding one that never was on the server does. */
  forget(collection: SyncedCollection, id: string): void;
}

interface Page {
  readonly afterId: string;
  readonly limit: number;
}

function byId(one: Stored, other: Stored): number {
  return one.document.id < other.document.id ? -1 : 1;
}

function pageOf(all: Iterable<Stored>, { afterId, limit }: Page): Stored[] {
  return [...all]
    .filter(({ document }) => document.id > afterId)
    .toSorted(byId)
    .slice(0, limit);
}

/** A {@link DocumentStore} in memory. It persists as long as the object; engines come and go on it. */
export function createMemoryDocumentStore(): MemoryDocumentStore {
  const tables: Record<SyncedCollection, Map<string, Stored>> = {
    pets: new Map(),
    entries: new Map(),
  };
  const records = new Map<string, LocalRecord>();
  let revision = 0;

  const write = (document: LocalDocument): void => {
    revision += 1;
    tables[document.collection].set(document.id, { document, revision: String(revision) });
  };

  const trySwap = (collection: SyncedCollection, { from, to }: Swap): boolean => {
    const stored = tables[collection].get(to.id);
    if (stored?.revision !== from?.revision) return false;
    write(to);
    return true;
  };

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
    swap: async (collection, swaps) =>
      new Set(swaps.filter((swap) => !trySwap(collection, swap)).map(({ to }) => to.id)),
    readRecord: async (id) => records.get(id) ?? null,
    listRecords: async (kind: LocalRecordKind) =>
      new Map([...records].filter(([, record]) => record.kind === kind)),
    writeRecord: async (id, record) => {
      records.set(id, record);
    },
    removeRecord: async (id) => {
      records.delete(id);
    },
    documents: (collection) => values(collection).map(({ document }) => document),
    records: () => records,
    put: write,
    forget: (collection, id) => {
      tables[collection].delete(id);
    },
  };
}
