import type { MangoQuery, RxCollection, RxDocumentData } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../schemas/documents/document.ts';
import { recordsOf } from '../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { createCommit } from './commit-writes.ts';
import type { PawPalsDatabase } from './database.ts';
import { prepareLive } from './prepare-live.ts';
import type { DocumentStore, Stored } from '../document-store.ts';

type Row = Pet | Entry;

/** Returns the stored rows, without a reactive document for each. */
async function findRows<Found>(
  collection: RxCollection<Found>,
  query: MangoQuery<Found>,
): Promise<RxDocumentData<Found>[]> {
  return (await collection.storageInstance.query(prepareLive(collection, query))).documents;
}

/** Returns a document without the columns that RxDB and the store have added. */
function toStored(collection: SyncedCollection, row: RxDocumentData<Row>): Stored {
  const { id, ownerId, petId, fields, edits, deleted, pending, seq, base, rev, code } = row;
  const content = { ownerId, petId, fields, edits, deleted };
  const sync = { pending, seq, base, rev, code };
  return { document: { collection, id, ...content, ...sync }, revision: row._rev };
}

/** The object store itself has this order. The planner needs it as a hint, since no schema names it. */
const inOrderOfId = ['_deleted', 'id'];

/** @param signal once it is aborted, every call is refused. */
export function createRxDocumentStore(
  database: PawPalsDatabase,
  signal?: AbortSignal,
): DocumentStore {
  // Each query uses only fields of its own collection's rows, which the union type cannot express.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const collections = { pets: database.pets, entries: database.journal_entries } as Readonly<
    Record<SyncedCollection, RxCollection<Row>>
  >;

  const find = async (name: SyncedCollection, query: MangoQuery<Row>): Promise<Stored[]> => {
    signal?.throwIfAborted();
    const rows = await findRows(collections[name], query);
    return rows.map((row) => toStored(name, row));
  };

  return {
    get: async (name, ids) => {
      if (ids.length === 0) return new Map();
      signal?.throwIfAborted();
      const rows = await collections[name].storageInstance.findDocumentsById([...ids], false);
      return new Map(rows.map((row) => [row.id, toStored(name, row)]));
    },
    listPending: (name, pending, page) =>
      find(name, {
        selector: { pending, id: { $gt: page.afterId } },
        sort: [{ pending: 'asc' }, { id: 'asc' }],
        limit: page.limit,
      }),
    listAll: (name, page) =>
      find(name, {
        index: inOrderOfId,
        selector: { id: { $gt: page.afterId } },
        sort: [{ id: 'asc' }],
        limit: page.limit,
      }),
    listEntriesOfPet: (petId, page) =>
      find('entries', {
        index: inOrderOfId,
        selector: { petId, deleted: false, id: { $gt: page.afterId } },
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
