import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core';
import {
  fromEntryRow,
  fromPetRow,
  toEntryRow,
  toPetRow,
  type EntryRow,
  type LocalDocument,
  type PetRow,
} from '../schemas/document.ts';
import type { LocalRecord, LocalRecordKind } from '../schemas/local-record.ts';
import type { SyncedCollection } from '../schemas/sync-state.ts';
import type { PawPalsDatabase } from './database.ts';
import type { DocumentStore, Stored, Swap } from './document-store.ts';

/** Written in RxDB's change events, so that a reader of logs can tell sync from an owner's edits. */
const writeContext = 'pawpals-sync';

interface Page {
  readonly afterId: string;
  readonly limit: number;
}

type TableQuery = MangoQuery<PetRow & EntryRow>;

/** One collection behind {@link DocumentStore}: raw rows, without a reactive document for each. */
interface Table {
  get(ids: readonly string[]): Promise<Stored[]>;
  find(query: TableQuery): Promise<Stored[]>;
  swap(swaps: readonly Swap[]): Promise<ReadonlySet<string>>;
}

interface Mapping<Row> {
  readonly toRow: (document: LocalDocument) => Row;
  readonly fromRow: (row: Row) => LocalDocument;
}

function createTable<Row extends { readonly id: string }>(
  collection: RxCollection<Row>,
  mapping: Mapping<Row>,
): Table {
  const instance = collection.storageInstance;
  /** The raw row behind each document handed out: RxDB wants all of it to compare and set. */
  const rawRows = new WeakMap<Stored, RxDocumentData<Row>>();

  const toStored = (raw: RxDocumentData<Row>): Stored => {
    const stored = { document: mapping.fromRow(raw), revision: raw._rev };
    rawRows.set(stored, raw);
    return stored;
  };

  const toWrite = (swap: Swap) => {
    const meta = { _deleted: false, _attachments: {}, _meta: { lwt: 1 }, _rev: '' };
    const document: RxDocumentData<Row> = { ...mapping.toRow(swap.to), ...meta };
    if (swap.from === null) return { document };
    const previous = rawRows.get(swap.from);
    if (previous === undefined) throw new Error('A swap must start from a document of this store');
    return { previous, document: { ...document, _meta: previous._meta, _rev: previous._rev } };
  };

  return {
    get: async (ids) => (await instance.findDocumentsById([...ids], false)).map(toStored),
    find: async (query) => {
      // Every index begins with RxDB's own flag: a query that does not name it uses none, and finds removed rows.
      const live = { ...query, selector: { ...query.selector, _deleted: { $eq: false } } };
      // Each query names only fields of its own collection's rows, which the union type cannot say.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const normalized = normalizeMangoQuery<Row>(instance.schema, live as MangoQuery<Row>);
      const result = await instance.query(prepareQuery<Row>(instance.schema, normalized));
      return result.documents.map(toStored);
    },
    swap: async (swaps) => {
      const { error } = await instance.bulkWrite(swaps.map(toWrite), writeContext);
      const failure = error.find(({ status }) => status !== 409);
      if (failure) throw new Error(`The local database refused a write: ${failure.status}`);
      return new Set(error.map(({ documentId }) => documentId));
    },
  };
}

/** The object store itself is in this order; the planner has to be told, since no schema names it. */
const inOrderOfId = ['_deleted', 'id'];

function byId(afterId: string) {
  return { $gt: afterId };
}

export function createRxDocumentStore(database: PawPalsDatabase): DocumentStore {
  const tables: Readonly<Record<SyncedCollection, Table>> = {
    pets: createTable(database.pets, { toRow: toPetRow, fromRow: fromPetRow }),
    entries: createTable(database.journal_entries, { toRow: toEntryRow, fromRow: fromEntryRow }),
  };

  const listEntriesOfPet = async (petId: string, page: Page): Promise<Stored[]> => {
    const found = await tables.entries.find({
      index: inOrderOfId,
      selector: { petId, deleted: false, id: byId(page.afterId) },
      sort: [{ id: 'asc' }],
      limit: page.limit,
    });
    return found;
  };

  return {
    get: async (collection, ids) => {
      if (ids.length === 0) return new Map();
      const found = await tables[collection].get(ids);
      return new Map(found.map((stored) => [stored.document.id, stored]));
    },
    listPending: (collection, pending, page) =>
      tables[collection].find({
        selector: { pending, id: byId(page.afterId) },
        sort: [{ pending: 'asc' }, { id: 'asc' }],
        limit: page.limit,
      }),
    listAll: (collection, page) =>
      tables[collection].find({
        index: inOrderOfId,
        selector: { id: byId(page.afterId) },
        sort: [{ id: 'asc' }],
        limit: page.limit,
      }),
    listEntriesOfPet,
    swap: async (collection, swaps) =>
      swaps.length === 0 ? new Set() : tables[collection].swap(swaps),
    ...createRecords(database),
  };
}

type Records = Pick<DocumentStore, 'readRecord' | 'listRecords' | 'writeRecord' | 'removeRecord'>;

function createRecords(database: PawPalsDatabase): Records {
  return {
    readRecord: async (id): Promise<LocalRecord | null> => {
      const [row] = await database.local.storageInstance.findDocumentsById([id], false);
      return row?.data ?? null;
    },
    listRecords: async (kind: LocalRecordKind) => {
      const rows = await database.local.find({ selector: { kind } }).exec();
      return new Map(rows.map((row) => [row.id, row.data]));
    },
    writeRecord: async (id, record) => {
      // Not `incrementalUpsert`: once one fails, all later ones of that id fail with it, also when there is room again.
      await database.local.upsert({ id, kind: record.kind, data: record });
    },
    removeRecord: async (id) => {
      const row = await database.local.findOne(id).exec();
      await row?.incrementalRemove();
    },
  };
}
