import { feedKeyOf, type Entry, type LocalDocument } from '../../schemas/documents/document.ts';

/**
 * The baseline, plain IndexedDB: one store with the same rows, and the one index that a journal needs. It has no
 * schema, revisions, events between tabs or sync state.
 */
export interface RawDatabase {
  put(rows: readonly Entry[], durability: IDBTransactionDurability): Promise<void>;
  /** Stores an entry, a job and the bytes of a recording in one transaction with strict durability. */
  putRecording(row: Entry, bytes: ArrayBuffer): Promise<void>;
  newest(petId: string, page: FeedPage): Promise<Entry[]>;
  /** Returns all rows of the pet at once. */
  readAll(petId: string): Promise<Entry[]>;
  /** Returns the first rows with an id above `afterId`. */
  pageById(afterId: string, limit: number): Promise<Entry[]>;
  close(): void;
}

export interface FeedPage {
  /** Only rows older than this key; all of them if absent. */
  readonly after?: string;
  readonly limit: number;
}

const storeName = 'entries';
const indexName = 'feed';
const fileStores = ['jobs', 'bytes'] as const;

function answer<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () =>
      reject(transaction.error ?? new Error('IndexedDB aborted')),
    );
  });
}

/** An array sorts after every string, and an empty string before all others. */
function rangeOfPet(petId: string, after = ''): IDBKeyRange {
  return IDBKeyRange.bound([petId, after], [petId, []], true);
}

function readCursor(request: IDBRequest<IDBCursorWithValue | null>, limit: number) {
  return new Promise<Entry[]>((resolve, reject) => {
    const rows: Entry[] = [];
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (cursor === null) return resolve(rows);
      const row: Entry = cursor.value;
      if (rows.push(row) === limit) resolve(rows);
      else cursor.continue();
    });
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}

export async function openRaw(name: string): Promise<RawDatabase> {
  const request = indexedDB.open(name, 1);
  request.addEventListener('upgradeneeded', () => {
    const store = request.result.createObjectStore(storeName, { keyPath: 'id' });
    store.createIndex(indexName, ['petId', 'feedKey']);
    for (const files of fileStores) request.result.createObjectStore(files, { keyPath: 'id' });
  });
  const database = await answer(request);
  const reading = () => database.transaction(storeName).objectStore(storeName);
  return {
    put: async (rows, durability) => {
      const transaction = database.transaction(storeName, 'readwrite', { durability });
      const store = transaction.objectStore(storeName);
      for (const row of rows) store.put(row);
      await completed(transaction);
    },
    putRecording: async (row, bytes) => {
      const names = [storeName, ...fileStores];
      const transaction = database.transaction(names, 'readwrite', { durability: 'strict' });
      transaction.objectStore(storeName).put(row);
      transaction.objectStore('jobs').put({ id: row.id, stage: 'queued' });
      transaction.objectStore('bytes').put({ id: row.id, bytes });
      await completed(transaction);
    },
    newest: (petId, { after, limit }) =>
      readCursor(reading().index(indexName).openCursor(rangeOfPet(petId, after)), limit),
    readAll: (petId) => answer(reading().index(indexName).getAll(rangeOfPet(petId))),
    pageById: (afterId, limit) =>
      readCursor(reading().openCursor(IDBKeyRange.lowerBound(afterId, true)), limit),
    close: () => database.close(),
  };
}

export async function eraseRaw(name: string): Promise<void> {
  await answer(indexedDB.deleteDatabase(name));
}

/** Returns the entry as the app stores it. */
export function toRawRow(document: LocalDocument): Entry {
  const { collection: _, petId, ...own } = document;
  return { ...own, petId: petId ?? '', feedKey: feedKeyOf(document) };
}

export function toRawRows(documents: readonly LocalDocument[]): Entry[] {
  return documents.map(toRawRow);
}
