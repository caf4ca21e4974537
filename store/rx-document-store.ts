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
import type { LocalRecordKind } from '../schemas/local-record.ts';
import type { SyncedCollection } from '../schemas/sync-state.ts';
import { commitRows, type RowChange } from './commit-rows.ts';
import type { PawPalsDatabase } from './database.ts';
import { placeOf } from './rx-storage.ts';
import type { DocumentStore, RecordWrite, Stored, Swap, Writes } from './document-store.ts';

interface Page {
  readonly afterId: string;
  readonly limit: number;
}

type TableQuery = MangoQuery<PetRow & EntryRow>;

/** One collection behind {@link DocumentStore}: raw rows, without a reactive document for each. */
interface Table {
  get(ids: readonly string[]): Promise<Stored[]>;
  find(query: TableQuery): Promise<Stored[]>;
}

function createTable<Row extends { readonly id: string }>(
  { storageInstance: instance }: RxCollection<Row>,
  fromRow: (row: Row) => LocalDocument,
): Table {
  const toStored = (raw: RxDocumentData<Row>): Stored => ({
    document: fromRow(raw),
    revision: raw._rev,
  });
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
  };
}

/** The object store itself is in this order; the planner has to be told, since no schema names it. */
const inOrderOfId = ['_deleted', 'id'];

function byId(afterId: string) {
  return { $gt: afterId };
}

const storeNames = { pets: 'pets', entries: 'journal_entries' } as const;

function toRow(document: LocalDocument): PetRow | EntryRow {
  return document.collection === 'pets' ? toPetRow(document) : toEntryRow(document);
}

function swapped({ from, to }: Swap): RowChange {
  const store = storeNames[to.collection];
  return { store, id: to.id, from: from?.revision ?? null, to: toRow(to) };
}

function forgotten({ document: { collection, id }, revision }: Stored): RowChange {
  return { store: storeNames[collection], id, from: revision, to: null };
}

function isLive(row: object | undefined): boolean {
  return row !== undefined && 'deleted' in row && row.deleted === false;
}

function recorded([id, data]: RecordWrite): RowChange {
  const to = data === null ? null : { id, kind: data.kind, data };
  return { store: 'local', id, from: undefined, to };
}

export function createRxDocumentStore(database: PawPalsDatabase): DocumentStore {
  const tables: Readonly<Record<SyncedCollection, Table>> = {
    pets: createTable(database.pets, fromPetRow),
    entries: createTable(database.journal_entries, fromEntryRow),
  };
  const place = placeOf(database.local);

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
    readRecord: async (id) => {
      const [row] = await database.local.storageInstance.findDocumentsById([id], false);
      return row?.data ?? null;
    },
    listRecords: async (kind: LocalRecordKind) => {
      const rows = await database.local.find({ selector: { kind } }).exec();
      return new Map(rows.map((row) => [row.id, row.data]));
    },
    // Locked: the database is closed only after other tabs were told of what is being written.
    commit: ({ swaps = [], forgotten: gone = [], records = [], livePets = [] }: Writes) =>
      database.lockedRun(() =>
        commitRows(place, {
          changes: [...swaps.map(swapped), ...gone.map(forgotten), ...records.map(recorded)],
          checks: livePets.map((id) => ({ store: storeNames.pets, id, isAsNeeded: isLive })),
        }),
      ),
  };
}
