import {
  deepEqual,
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
} from '../../schemas/documents/document.ts';
import { isOther, type FileBytes } from '../../schemas/local/file-bytes.ts';
import { recordsOf, type LocalRecordRow } from '../../schemas/local/local-record.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import {
  commitRows,
  type PlainRemoval,
  type PlainValue,
  type RowChange,
  type RowCheck,
  type RowsOfCommit,
} from '../indexeddb/commit-rows.ts';
import type { PawPalsDatabase } from './database.ts';
import { findNeeded, startingWith } from '../file-stores.ts';
import { prepareLive } from './prepare-live.ts';
import { placeOf } from './rx-storage.ts';
import type {
  BytesWrite,
  DocumentStore,
  JobSwap,
  RecordWrite,
  Stored,
  Swap,
  Writes,
} from '../document-store.ts';

interface Page {
  readonly afterId: string;
  readonly limit: number;
}

type TableQuery = MangoQuery<PetRow & EntryRow>;

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

function createTable<Row extends { readonly id: string }>(
  collection: RxCollection<Row>,
  fromRow: (row: Row) => LocalDocument,
  signal: AbortSignal | undefined,
): Table {
  const toStored = (raw: RawRow<Row>): Stored => ({
    document: fromRow(raw),
    revision: raw._rev,
  });
  return {
    get: async (ids) => {
      signal?.throwIfAborted();
      return (await collection.storageInstance.findDocumentsById([...ids], false)).map(toStored);
    },
    find: async (query) => {
      signal?.throwIfAborted();
      // Each query uses only fields of its own collection's rows, which the union type cannot express.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await findRows(collection, query as MangoQuery<Row>)).map(toStored);
    },
  };
}

/** The object store itself has this order. The planner needs it as a hint, since no schema names it. */
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

function jobIdOf({ from, to }: JobSwap): string {
  return to?.id ?? from?.id ?? '';
}

/** A new job is added; a changed one is compared with the stored one below. */
function jobWritten(swap: JobSwap): RowChange {
  const { from, to } = swap;
  const change = recorded([jobIdOf(swap), to === null ? null : { kind: 'outbox-job', job: to }]);
  return { ...change, from: from === null ? null : undefined };
}

function jobSeen(swap: JobSwap): readonly RowCheck[] {
  const { from } = swap;
  if (from === null) return [];
  const isAsNeeded = (row: object | undefined): boolean => {
    if (row === undefined) return false;
    // Only records have the id of a job in this store.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { data } = row as LocalRecordRow;
    return data.kind === 'outbox-job' && deepEqual(data.job, from);
  };
  return [{ store: 'local', id: jobIdOf(swap), isAsNeeded }];
}

function bytesAdded([id, value]: BytesWrite): readonly PlainValue[] {
  if (value === null) return [];
  // Only files lie in this store.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const mayReplace = (found: object): boolean => !isOther(found as FileBytes, value);
  return [{ store: 'bytes', key: id, value, mayReplace }];
}

function bytesRemoved([id, value]: BytesWrite): readonly PlainRemoval[] {
  if (value !== null) return [];
  const isNeeded = async (transaction: IDBTransaction): Promise<boolean> =>
    (await findNeeded(transaction)).has(id);
  return [{ store: 'bytes', key: id, isNeeded }];
}

function recordingEnded(id: string): readonly PlainRemoval[] {
  return [
    { store: 'recordings', key: id },
    { store: 'chunks', key: startingWith(id) },
  ];
}

function rowsOf({ swaps = [], forgotten: gone = [], jobs = [], ...others }: Writes): RowsOfCommit {
  const { records = [], livePets = [], bytes = [], recordings = [] } = others;
  return {
    changes: [
      ...swaps.map(swapped),
      ...gone.map(forgotten),
      ...records.map(recorded),
      ...jobs.map(jobWritten),
    ],
    checks: [
      ...livePets.map((id) => ({ store: storeNames.pets, id, isAsNeeded: isLive })),
      ...jobs.flatMap(jobSeen),
    ],
    values: bytes.flatMap(bytesAdded),
    removals: [...bytes.flatMap(bytesRemoved), ...recordings.flatMap(recordingEnded)],
    reads: bytes.some(([, value]) => value === null) ? ['local'] : [],
  };
}

/** @param signal once it is aborted, every call is refused. */
export function createRxDocumentStore(
  database: PawPalsDatabase,
  signal?: AbortSignal,
): DocumentStore {
  const tables: Readonly<Record<SyncedCollection, Table>> = {
    pets: createTable(database.pets, fromPetRow, signal),
    entries: createTable(database.journal_entries, fromEntryRow, signal),
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
    commit: async (writes) => {
      signal?.throwIfAborted();
      // The lock delays closing the database until other tabs are notified of the write.
      return database.lockedRun(() => commitRows(place, rowsOf(writes)));
    },
  };
}
