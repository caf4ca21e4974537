import {
  deepEqual,
  getHeightOfRevision,
  now,
  randomToken,
  type RxDocumentData,
  type RxStorageChangeEvent,
} from 'rxdb/plugins/core';
import { feedKeyOf, type LocalDocument } from '../../schemas/documents/document.ts';
import { isOther, type FileBytes } from '../../schemas/local/file-bytes.ts';
import type { LocalRecord, LocalRecordRow } from '../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import type {
  BytesWrite,
  DocumentStore,
  JobSwap,
  RecordWrite,
  Stored,
  Swap,
  Writes,
} from '../document-store.ts';
import { findNeeded, startingWith } from '../file-stores.ts';
import { answerOf, writeTo } from '../indexeddb/requests.ts';
import type { PawPalsDatabase } from './database.ts';
import { placeOf, rowIn, type Place } from './rx-storage.ts';

interface Identified {
  readonly id: string;
}

type StoredRow = RxDocumentData<Identified>;

/** One row of a commit. Rows are deleted without a tombstone, since nothing in this app syncs by RxDB's change log. */
interface RowChange {
  /** The object store, which has the name of RxDB's collection. */
  readonly store: string;
  readonly id: string;
  /** Whether the commit fails if the row exists: it is added without a read, if possible. */
  readonly isNew: boolean;
  /** @param row undefined if it does not exist. @returns whether the commit may proceed. */
  readonly isAsNeeded: (row: StoredRow | undefined) => boolean;
  /** null removes the row; undefined leaves it as it is. */
  readonly to: Identified | null | undefined;
}

const conflict = new Error('A row was changed since it was read');

type Written = readonly [store: string, event: RxStorageChangeEvent<StoredRow>];

/** Returns the row unless RxDB has deleted it. */
function live(stored: StoredRow | undefined): StoredRow | undefined {
  return stored?._deleted === false ? stored : undefined;
}

/**
 * Returns the change event that RxDB's own storages would emit; null if nothing changes.
 * @param above a height that the new revision exceeds.
 */
function eventOf(
  { id, to }: RowChange,
  stored: StoredRow | undefined,
  above: number,
): RxStorageChangeEvent<StoredRow> | null {
  if (to === undefined) return null;
  const before = live(stored);
  // The height rises, also if a row is created again after its removal, which leaves no trace: it is the time in
  // hundredths of a millisecond, or one more than any that this tab knows, as the clock may have been set back.
  const lwt = now();
  const next = 1 + Math.max(above, stored === undefined ? 0 : getHeightOfRevision(stored._rev));
  const revision = `${String(Math.max(Math.round(lwt * 100), next))}-${randomToken(10)}`;
  const own = { _attachments: {}, _meta: { lwt }, _rev: revision };
  if (to !== null) {
    const documentData: StoredRow = { ...to, ...own, _deleted: false };
    return before === undefined
      ? { operation: 'INSERT', documentId: id, documentData, previousDocumentData: undefined }
      : { operation: 'UPDATE', documentId: id, documentData, previousDocumentData: before };
  }
  if (before === undefined) return null;
  const documentData: StoredRow = { ...before, ...own, _deleted: true };
  return { operation: 'DELETE', documentId: id, documentData, previousDocumentData: before };
}

type ReadRow = (id: string) => Promise<StoredRow | undefined>;

/** Returns the stored row, also if RxDB has deleted it, since it still has a revision. */
function storedRow(value: object | undefined): StoredRow | undefined {
  // All rows of these collections have an id.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value === undefined ? undefined : (rowIn(value) as StoredRow);
}

/** Above this number of rows, one range request is tried first. */
const fewRows = 8;

/** Returns a reader of rows by id. The rows of one page are adjacent, so it reads them with one range request. */
function rowReader(objects: IDBObjectStore, ids: readonly string[]): ReadRow {
  const get: ReadRow = async (id) => storedRow(await answerOf<object | undefined>(objects.get(id)));
  if (ids.length <= fewRows) return get;
  const sorted = ids.toSorted();
  const range = IDBKeyRange.bound(sorted[0], sorted.at(-1));
  const limit = Math.ceil(ids.length * 1.25);
  const nearRows = answerOf<Identified[]>(objects.getAll(range, limit));
  const byId = nearRows.then((near) => new Map(near.map((value) => [value.id, value])));
  return async (id) => {
    const near = await byId;
    return near.size < limit ? storedRow(near.get(id)) : get(id);
  };
}

interface Manner {
  /** Whether new rows are added without reading first. */
  readonly canAdd: boolean;
  /** A height that the new revisions exceed. */
  readonly above: number;
}

async function changeRows(
  objects: IDBObjectStore,
  changes: readonly RowChange[],
  { canAdd, above }: Manner,
): Promise<Written[]> {
  const isAdded = ({ isNew }: RowChange): boolean => canAdd && isNew;
  const compared = changes.filter((change) => !isAdded(change));
  const read = rowReader(
    objects,
    compared.map(({ id }) => id),
  );
  const changeRow = async (change: RowChange): Promise<Written[]> => {
    const stored = isAdded(change) ? undefined : await read(change.id);
    if (!change.isAsNeeded(live(stored))) throw conflict;
    const event = eventOf(change, stored, above);
    if (event === null) return [];
    const { operation, documentData } = event;
    if (operation === 'DELETE') await answerOf(objects.delete(change.id));
    else if (isAdded(change)) await answerOf(objects.add(documentData));
    else await answerOf(objects.put(documentData));
    return [[change.store, event]];
  };
  return (await Promise.all(changes.map(changeRow))).flat();
}

async function putBytes(
  objects: IDBObjectStore,
  [id, value, from]: BytesWrite,
  canAdd: boolean,
): Promise<void> {
  if (value === null) return;
  if (canAdd) {
    await answerOf(objects.add(value));
    return;
  }
  const found = await answerOf<FileBytes | undefined>(objects.get(id));
  if (from === null ? found !== undefined : isOther(found, value)) throw conflict;
  await answerOf(objects.put(value));
}

/** Removes bytes, unless a record needs them after all other writes of the transaction. */
async function removeBytes(transaction: IDBTransaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const needed = await findNeeded(transaction);
  const bytes = transaction.objectStore('bytes');
  const unneeded = ids.filter((id) => !needed.has(id));
  await Promise.all(unneeded.map(async (id) => answerOf(bytes.delete(id))));
}

async function removeRecording(transaction: IDBTransaction, id: string): Promise<void> {
  await answerOf(transaction.objectStore('recordings').delete(id));
  await answerOf(transaction.objectStore('chunks').delete(startingWith(id)));
}

interface RowsOfCommit {
  readonly changes: readonly RowChange[];
  readonly bytes: readonly BytesWrite[];
  readonly recordings: readonly string[];
}

function storesOf({ changes, bytes, recordings }: RowsOfCommit): readonly string[] {
  const ofBytes = bytes.flatMap(([, value]) => (value === null ? ['bytes', 'local'] : ['bytes']));
  const ofRecordings = recordings.length > 0 ? ['recordings', 'chunks'] : [];
  return [...new Set([...changes.map(({ store }) => store), ...ofBytes, ...ofRecordings])];
}

async function write(
  { database, changes: published }: Place,
  rows: RowsOfCommit,
  canAdd: boolean,
): Promise<readonly Written[]> {
  const { changes, bytes, recordings } = rows;
  const stores = storesOf(rows);
  const manner = { canAdd, above: published.highest() };
  return writeTo(database, [...stores], async (transaction) => {
    const [changed] = await Promise.all([
      Promise.all(
        stores.map((store) => {
          const own = changes.filter((change) => change.store === store);
          return changeRows(transaction.objectStore(store), own, manner);
        }),
      ),
      ...bytes.map((one) => putBytes(transaction.objectStore('bytes'), one, canAdd)),
    ]);
    const removed = bytes.flatMap(([id, value]) => (value === null ? id : []));
    await removeBytes(transaction, removed);
    await Promise.all(recordings.map((id) => removeRecording(transaction, id)));
    return changed.flat();
  });
}

/**
 * Whether an add failed because the row may exist: with a full disk the browser reports the quota before it checks the
 * key.
 */
function mayBeThere(error: unknown): boolean {
  const names = ['ConstraintError', 'QuotaExceededError'];
  return error instanceof DOMException && names.includes(error.name);
}

/** Tries to add new rows and values without reading first, and falls back to compare-and-set. */
async function addOrWrite(place: Place, rows: RowsOfCommit): Promise<readonly Written[]> {
  try {
    return await write(place, rows, true);
  } catch (error) {
    if (!mayBeThere(error)) throw error;
    return write(place, rows, false);
  }
}

const storeNames = { pets: 'pets', entries: 'journal_entries' } as const;

/** Returns the document as it is stored in its collection: an entry has its feed key, which an index contains. */
function toRow({ collection, ...document }: LocalDocument): Identified {
  if (collection === 'pets') return document;
  const entry = { ...document, feedKey: feedKeyOf(document) };
  return entry;
}

function isFree(row: StoredRow | undefined): boolean {
  return row === undefined;
}

function swapped({ from, to }: Swap): RowChange {
  const store = storeNames[to.collection];
  const isAsNeeded = from === null ? isFree : (row?: StoredRow) => row?._rev === from.revision;
  return { store, id: to.id, isNew: from === null, isAsNeeded, to: toRow(to) };
}

function forgotten({ document: { collection, id }, revision }: Stored): RowChange {
  const isAsNeeded = (row?: StoredRow): boolean => row?._rev === revision;
  return { store: storeNames[collection], id, isNew: false, isAsNeeded, to: null };
}

function isLive(row: StoredRow | undefined): boolean {
  return row !== undefined && 'deleted' in row && row.deleted === false;
}

function livePet(id: string): RowChange {
  return { store: storeNames.pets, id, isNew: false, isAsNeeded: isLive, to: undefined };
}

function recorded([id, data, from]: RecordWrite): RowChange {
  const to = data === null ? null : { id, kind: data.kind, data };
  const change = { store: 'local', id, to };
  if (from === undefined) return { ...change, isNew: false, isAsNeeded: () => true };
  if (from === null) return { ...change, isNew: data !== null, isAsNeeded: isFree };
  const isAsNeeded = (row?: StoredRow): boolean => {
    // This store has only records.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const stored = (row as LocalRecordRow | undefined)?.data;
    return deepEqual(stored, from);
  };
  return { ...change, isNew: false, isAsNeeded };
}

function jobRecord(job: OutboxJob | null): LocalRecord | null {
  return job && { kind: 'outbox-job', job };
}

function jobSwapped({ from, to }: JobSwap): RowChange {
  return recorded([to?.id ?? from?.id ?? '', jobRecord(to), jobRecord(from)]);
}

function rowsOf({ swaps = [], forgotten: gone = [], jobs = [], ...others }: Writes): RowsOfCommit {
  const { records = [], livePets = [], bytes = [], recordings = [] } = others;
  const changes = [
    // Requests run in order, so a pet is checked before it is written.
    ...livePets.map(livePet),
    ...swaps.map(swapped),
    ...gone.map(forgotten),
    ...records.map(recorded),
    ...jobs.map(jobSwapped),
  ];
  return { changes, bytes, recordings };
}

async function commitRows(place: Place, rows: RowsOfCommit): Promise<boolean> {
  if (Object.values(rows).every(({ length }) => length === 0)) return true;
  let written: readonly Written[];
  try {
    written = await addOrWrite(place, rows);
  } catch (error) {
    if (error === conflict) return false;
    throw error;
  }
  // RxDB does not know of bytes, and their watchers read only the key of an event.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const ofBytes = rows.bytes.map(([id]): Written => ['bytes', { documentId: id } as Written[1]]);
  const told = [...written, ...ofBytes];
  const stores = [...new Set(told.map(([store]) => store))];
  place.changes.publish(
    stores.map((store) => {
      const events = told.flatMap(([of, event]) => (of === store ? [event] : []));
      return [store, { id: randomToken(10), events, checkpoint: null, context: 'pawpals' }];
    }),
  );
  return true;
}

/**
 * Creates the commit of a store: one transaction with strict durability over several RxDB collections and other stores,
 * by compare-and-set. Watchers in this tab and others are notified of all changes at once, after all are stored.
 * @param signal once it is aborted, a commit is refused.
 */
export function createCommit(
  database: PawPalsDatabase,
  signal: AbortSignal | undefined,
): DocumentStore['commit'] {
  const place = placeOf(database.local);
  return async (writes) => {
    signal?.throwIfAborted();
    // The lock delays closing the database until other tabs are notified of the write.
    return database.lockedRun(() => commitRows(place, rowsOf(writes)));
  };
}
