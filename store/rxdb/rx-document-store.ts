import type { MangoQuery, RxCollection, RxDocumentData } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../schemas/documents/document.ts';
import { recordsOf } from '../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { createCommit } from './commit-writes.ts';
import type { PawPalsDatabase } from './database.ts';
import { prepareLive } from './prepare-live.ts';
import type { DocumentStore, Stored } from '../document-store.ts';

type TableQuery = MangoQuery<Omit<Pet, 'petId'> & Pick<Entry, 'petId'>>;

type RawRow<Row> = RxDocumentData<Row>;

/** Returns the stored rows, without a reactive document for each. */
async function findRows<Row>(
  collection: RxCollection<Row>,
  query: MangoQuery<Row>,
): Promise<RawRow<Row>[]> {
  return (await collection.storageInstance.query(prepareLive(collection, query))).documents;
}

/** One collection behind {@link DocumentStore}. */
interface Table {
  get(ids: readonly string[]): Promise<Stored[]>;
  find(query: TableQuery): Promise<Stored[]>;
}

/** Returns a document without the columns that RxDB and the store have added. */
function toStored(collection: SyncedCollection, row: RawRow<Pet | Entry>): Stored {
  const { id, ownerId, petId, fields, edits, deleted, pending, seq, base, rev, code } = row;
  const content = { ownerId, petId, fields, edits, deleted };
  const sync = { pending, seq, base, rev, code };
  return { document: { collection, id, ...content, ...sync }, revision: row._rev };
}

function createTable<Row extends Pet | Entry>(
  name: SyncedCollection,
  collection: RxCollection<Row>,
  signal: AbortSignal | undefined,
): Table {
  const stored = (row: RawRow<Row>): Stored => toStored(name, row);
  return {
    get: async (ids) => {
      signal?.throwIfAborted();
      return (await collection.storageInstance.findDocumentsById([...ids], false)).map(stored);
    },
    find: async (query) => {
      signal?.throwIfAborted();
      // Each query uses only fields of its own collection's rows, which the union type cannot express.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await findRows(collection, query as MangoQuery<Row>)).map(stored);
    },
  };
}

/** The object store itself has this order. The planner needs it as a hint, since no schema names it. */
const inOrderOfId = ['_deleted', 'id'];

function byId(afterId: string) {
  return { $gt: afterId };
}

/** @param signal once it is aborted, every call is refused. */
export function createRxDocumentStore(
  database: PawPalsDatabase,
  signal?: AbortSignal,
): DocumentStore {
  const tables: Readonly<Record<SyncedCollection, Table>> = {
    pets: createTable('pets', database.pets, signal),
    entries: createTable('entries', database.journal_entries, signal),
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
    listEntriesOfPet: (petId, page) =>
      tables.entries.find({
        index: inOrderOfId,
        selector: { petId, deleted: false, id: byId(page.afterId) },
        sort: [{ id: 'asc' }],
        limit: page.limit,
      }),
    readRecord: async (id) => {
      signal?.throwIfAborted();
      const [row] = await database.local.storageInstance.findDocumentsById([id], false);
      return row?.data ?? null;
    },
    listRecords: async (kind) => {
      signal?.throwIfAborted();
      const rows = await findRows(database.local, { selector: { kind } });
      return recordsOf(
        rows.map(({ id, data }) => [id, data]),
        kind,
      );
    },
    commit: createCommit(database, signal),
  };
}
