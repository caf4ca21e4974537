import { answerOf, endOfTransaction } from '../../store/indexeddb/requests.ts';
import 'fake-indexeddb/auto';

/**
 * The parts of an IndexedDB database as JSON: name, version, stores, keys, indexes and records. Bytes are base64; a
 * value that JSON would change is refused.
 */
export interface StoredIndex {
  readonly name: string;
  readonly keyPath: string | string[];
  readonly unique: boolean;
  readonly multiEntry: boolean;
}

export interface StoredStore {
  readonly name: string;
  readonly keyPath: string | string[];
  readonly autoIncrement: boolean;
  readonly indexes: readonly StoredIndex[];
}

interface DumpedStore extends StoredStore {
  readonly records: readonly unknown[];
}

export interface DumpedDatabase {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly DumpedStore[];
}

const bytesKey = '$bytes';
/** RxDB stores some `undefined` values. */
const undefinedKey = '$undefined';

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** The in-memory IndexedDB returns buffers of another realm, so `instanceof` does not recognize them. */
function isBuffer(value: object): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

function mapValues(value: object, map: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(each)]));
}

function toJson(value: unknown): unknown {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value === undefined) return { [undefinedKey]: true };
  if (typeof value !== 'object') throw new Error(`JSON has no ${typeof value}`);
  if (isBuffer(value)) return { [bytesKey]: Buffer.from(value).toString('base64') };
  if (!isPlain(value)) throw new Error('JSON has only plain objects');
  return mapValues(value, toJson);
}

function fromJson(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (bytesKey in value) {
    const { buffer } = Uint8Array.from(Buffer.from(String(value[bytesKey]), 'base64'));
    return buffer;
  }
  if (undefinedKey in value) return undefined;
  return mapValues(value, fromJson);
}

function inLineKey(keyPath: string | string[] | null): string | string[] {
  if (keyPath === null) throw new Error('A store whose keys lie outside of its records');
  return keyPath;
}

function indexOf({ name, keyPath, unique, multiEntry }: IDBIndex): StoredIndex {
  return { name, keyPath, unique, multiEntry };
}

async function dumpStore(store: IDBObjectStore): Promise<DumpedStore> {
  const { name, autoIncrement } = store;
  const indexes = [...store.indexNames].toSorted().map((each) => indexOf(store.index(each)));
  const records = (await answerOf<unknown[]>(store.getAll())).map(toJson);
  return { name, keyPath: inLineKey(store.keyPath), autoIncrement, indexes, records };
}

async function dumpDatabase(name: string): Promise<DumpedDatabase> {
  const database = await answerOf(indexedDB.open(name));
  try {
    const names = [...database.objectStoreNames].toSorted();
    const transaction = database.transaction(names);
    const stores = await Promise.all(names.map((each) => dumpStore(transaction.objectStore(each))));
    return { name, version: database.version, stores };
  } finally {
    database.close();
  }
}

async function databaseNames(): Promise<string[]> {
  return (await indexedDB.databases()).map(({ name = '' }) => name).toSorted();
}

/** Returns every database whose name contains `namePart`, sorted by name. Other connections may be open. */
export async function dumpDatabases(namePart = ''): Promise<DumpedDatabase[]> {
  const names = (await databaseNames()).filter((name) => name.includes(namePart));
  return Promise.all(names.map(dumpDatabase));
}

/** Deletes all databases. No connection may be open. */
export async function removeDatabases(): Promise<void> {
  for (const name of await databaseNames()) await answerOf(indexedDB.deleteDatabase(name));
}

function createStore(database: IDBDatabase, store: StoredStore): void {
  const { keyPath, autoIncrement } = store;
  const created = database.createObjectStore(store.name, { keyPath, autoIncrement });
  for (const { name, keyPath: path, unique, multiEntry } of store.indexes) {
    created.createIndex(name, path, { unique, multiEntry });
  }
}

async function restoreDatabase({ name, version, stores }: DumpedDatabase): Promise<void> {
  const opening = indexedDB.open(name, version);
  opening.addEventListener('upgradeneeded', () => {
    for (const store of stores) createStore(opening.result, store);
  });
  const database = await answerOf(opening);
  const transaction = database.transaction(
    stores.map((store) => store.name),
    'readwrite',
  );
  for (const store of stores) {
    for (const record of store.records) transaction.objectStore(store.name).add(fromJson(record));
  }
  await endOfTransaction(transaction);
  database.close();
}

/** Creates these databases. None of them may exist. */
export async function restoreDatabases(databases: readonly DumpedDatabase[]): Promise<void> {
  await Promise.all(databases.map(restoreDatabase));
}
