import {
  createRevision,
  deepEqual,
  now,
  randomToken,
  type RxDocumentData,
  type RxStorageChangeEvent,
} from 'rxdb/plugins/core';
import { feedKeyOf, type LocalDocument } from '../../schemas/documents/document.ts';
import { isOther, type FileBytes } from '../../schemas/local/file-bytes.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';
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

interface InStore {
  /** The object store, which has the name of RxDB's collection. */
  readonly store: string;
  readonly id: string;
}

/** One row of a commit. Rows are deleted without a tombstone, since nothing in this app syncs by RxDB's change log. */
interface RowChange extends InStore {
  /** The revision that was read; null: no row existed; undefined: replace without a comparison. */
  readonly from: string | null | undefined;
  /** null removes the row. */
  readonly to: Identified | null;
}

/** A row that is checked but not written. */
interface RowCheck extends InStore {
  /** @param row undefined if it does not exist. @returns whether the commit may proceed. */
  readonly isAsNeeded: (row: object | undefined) => boolean;
}

/** A value of a store that RxDB does not know, which contains its key. */
interface PlainValue {
  readonly store: string;
  readonly key: string;
  readonly value: object;
  /** @returns false to abort the commit. */
  readonly mayReplace: (found: object) => boolean;
}

interface PlainRemoval {
  readonly store: string;
  readonly key: IDBValidKey | IDBKeyRange;
  /** Called after all writes, in the same transaction. If it resolves with true, the value stays. */
  readonly isNeeded?: (transaction: IDBTransaction) => Promise<boolean>;
}

const conflict = new Error('A row was changed since it was read');

interface Written {
  readonly store: string;
  readonly event: RxStorageChangeEvent<StoredRow>;
}

/** Returns the change event that RxDB's own storages would emit; null if nothing changes. */
function eventOf(
  { id, to }: RowChange,
  stored: StoredRow | undefined,
): RxStorageChangeEvent<StoredRow> | null {
  const before = stored?._deleted === false ? stored : undefined;
  // The revision is random, so that a row that was deleted and created again gets none of its earlier revisions.
  const revision = createRevision(randomToken(10), stored);
  const own = { _attachments: {}, _meta: { lwt: now() }, _rev: revision };
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

interface FoundRow {
  /** The stored row, also if RxDB has deleted it, since it still has a revision. */
  readonly stored: StoredRow | undefined;
  readonly row: StoredRow | undefined;
}

type ReadRow = (id: string) => Promise<FoundRow>;

function foundRow(value: object | undefined): FoundRow {
  // All rows of these collections have an id.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const stored = value === undefined ? undefined : (rowIn(value) as StoredRow);
  return { stored, row: stored?._deleted === false ? stored : undefined };
}

/** Above this number of rows, one range request is tried first. */
const fewRows = 8;

/** Returns a reader of rows by id. The rows of one page are adjacent, so it reads them with one range request. */
function rowReader(objects: IDBObjectStore, ids: readonly string[]): ReadRow {
  const get = async (id: string): Promise<FoundRow> =>
    foundRow(await answerOf<object | undefined>(objects.get(id)));
  if (ids.length <= fewRows) return get;
  const sorted = ids.toSorted();
  const range = IDBKeyRange.bound(sorted[0], sorted.at(-1));
  const limit = Math.ceil(ids.length * 1.25);
  const nearRows = answerOf<Identified[]>(objects.getAll(range, limit));
  const byId = nearRows.then((near) => new Map(near.map((value) => [value.id, value])));
  return async (id) => {
    const near = await byId;
    return near.size < limit ? foundRow(near.get(id)) : get(id);
  };
}

interface Target {
  readonly objects: IDBObjectStore;
  readonly read: ReadRow;
  /** New rows are added without reading first. */
  readonly canAdd: boolean;
}

function isAdded({ canAdd }: Pick<Target, 'canAdd'>, { from }: RowChange): boolean {
  return canAdd && from === null;
}

async function changeRow(target: Target, change: RowChange): Promise<Written[]> {
  const { objects, read } = target;
  const isNew = isAdded(target, change);
  const found = isNew ? null : await read(change.id);
  const revision = found?.row?._rev ?? null;
  if (change.from !== undefined && change.from !== revision) throw conflict;
  const event = eventOf(change, found?.stored);
  if (event === null) return [];
  const { operation, documentData } = event;
  if (operation === 'DELETE') await answerOf(objects.delete(change.id));
  else if (isNew) await answerOf(objects.add(documentData));
  else await answerOf(objects.put(documentData));
  return [{ store: change.store, event }];
}

async function changeRows(
  objects: IDBObjectStore,
  changes: readonly RowChange[],
  canAdd: boolean,
): Promise<Written[]> {
  const compared = changes.filter((change) => !isAdded({ canAdd }, change));
  const read = rowReader(
    objects,
    compared.map(({ id }) => id),
  );
  const target = { objects, read, canAdd };
  return (await Promise.all(changes.map((change) => changeRow(target, change)))).flat();
}

async function checkRow(objects: IDBObjectStore, { id, isAsNeeded }: RowCheck): Promise<void> {
  const value = await answerOf<object | undefined>(objects.get(id));
  if (!isAsNeeded(foundRow(value).row)) throw conflict;
}

async function putPlain(
  objects: IDBObjectStore,
  { key, value, mayReplace }: PlainValue,
  canAdd: boolean,
): Promise<void> {
  if (canAdd) {
    await answerOf(objects.add(value));
    return;
  }
  const found = await answerOf<object | undefined>(objects.get(key));
  if (found !== undefined && !mayReplace(found)) throw conflict;
  await answerOf(objects.put(value));
}

async function removePlain(
  transaction: IDBTransaction,
  { store, key, isNeeded }: PlainRemoval,
): Promise<void> {
  if ((await isNeeded?.(transaction)) === true) return;
  await answerOf(transaction.objectStore(store).delete(key));
}

interface RowsOfCommit {
  readonly changes: readonly RowChange[];
  readonly checks: readonly RowCheck[];
  readonly values: readonly PlainValue[];
  readonly removals: readonly PlainRemoval[];
  /** Further object stores that are read. */
  readonly reads: readonly string[];
}

async function write(
  { database }: Pick<Place, 'database'>,
  { changes, checks, values, removals, reads }: RowsOfCommit,
  canAdd: boolean,
): Promise<readonly Written[]> {
  const written = [...changes, ...checks, ...values, ...removals].map(({ store }) => store);
  const stores = [...new Set([...written, ...reads])];
  return writeTo(database, stores, async (transaction) => {
    const objectsOf = ({ store }: { readonly store: string }): IDBObjectStore =>
      transaction.objectStore(store);
    // Requests run in order, so the checks see the state before the writes.
    const [, changed] = await Promise.all([
      Promise.all(checks.map((check) => checkRow(objectsOf(check), check))),
      Promise.all(
        stores.map((store) => {
          const own = changes.filter((change) => change.store === store);
          return changeRows(transaction.objectStore(store), own, canAdd);
        }),
      ),
      Promise.all(values.map((value) => putPlain(objectsOf(value), value, canAdd))),
    ]);
    await Promise.all(removals.map((removal) => removePlain(transaction, removal)));
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
async function addOrWrite(
  place: Pick<Place, 'database' | 'changes'>,
  rows: RowsOfCommit,
): Promise<readonly Written[]> {
  try {
    return await write(place, rows, true);
  } catch (error) {
    if (!mayBeThere(error)) throw error;
    return write(place, rows, false);
  }
}

type Told = readonly [store: string, event: Written['event']];

/** Returns the events for the watchers. A value that RxDB does not know is reported by its key only. */
function toldOf(
  written: readonly Written[],
  { values, removals }: Pick<RowsOfCommit, 'values' | 'removals'>,
): readonly Told[] {
  const keys = [...values, ...removals].flatMap(({ store, key }): Told[] => {
    // Watchers of plain values read only the key of an event.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return typeof key === 'string' ? [[store, { documentId: key } as Written['event']]] : [];
  });
  return [...written.map(({ store, event }): Told => [store, event]), ...keys];
}

const storeNames = { pets: 'pets', entries: 'journal_entries' } as const;

/** Returns the document as it is stored in its collection: an entry has its feed key, which an index contains. */
function toRow({ collection, ...document }: LocalDocument): Identified {
  if (collection === 'pets') return document;
  const entry = { ...document, feedKey: feedKeyOf(document) };
  return entry;
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

async function commitRows(
  place: Pick<Place, 'database' | 'changes'>,
  rows: RowsOfCommit,
): Promise<boolean> {
  const { changes, checks, values, removals } = rows;
  if ([changes, checks, values, removals].every(({ length }) => length === 0)) return true;
  let written: readonly Written[];
  try {
    written = await addOrWrite(place, rows);
  } catch (error) {
    if (error === conflict) return false;
    throw error;
  }
  const told = toldOf(written, rows);
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
