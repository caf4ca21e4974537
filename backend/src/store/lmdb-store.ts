import { join } from 'node:path';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import {
  maxKeyBytes,
  StoreError,
  resolveAdditions,
  toKey,
  type Entry,
  type KeyRange,
  type KeyValueStore,
  type Put,
  type Snapshot,
  type StoreOperation,
} from './key-value-store.ts';
import { createDataTail, type DataTail } from './data-tail.ts';
import { checkDataFile, createLockFile, dataFile } from './mapped-files.ts';

const serverKey = 'store/server';
/** Present in a copy of a data folder until it is complete. */
export const unfinishedKey = 'store/unfinished';
/**
 * The reserved address space; memory and disk are used only as the file grows, and a larger file takes more. Two of them,
 * one for a backup, fit into the 512 GiB that a process has on a Raspberry Pi.
 */
const mapBytes = 2 ** 36;
/** The LMDB codes of a damaged file or state: nothing can be written until it is reopened. */
const brokenCodes = new Set([-30_797, -30_796, -30_795, -30_793]);

const readerCheckCommits = 1000;
/** The most readers, above the number of long answers in progress, each of which may read its own version. */
const maxReaders = 16_384;

/** The folders that this process serves, because LMDB only detects other processes. */
const served = new Set<string>();

/**
 * Opens a store on LMDB, which reads through a memory map and writes in a thread that syncs the disk.
 *
 * - One process at a time serves a folder: a second one gets a `StoreError` with the code `locked`. Others may read it.
 * - All waiting writes go into one transaction. If it fails, they are retried one by one, so that a write that is too large
 *   for the disk fails alone.
 * - On a full disk, a write is refused before LMDB begins it. So is any write once the data file was removed.
 */
export async function openLmdbStore(folder: string): Promise<KeyValueStore> {
  const db = openEnvironment(folder);
  try {
    claim(db, folder);
  } catch (error) {
    await db.close();
    throw error;
  }
  const tail = createDataTail(db, join(folder, dataFile));
  return createStore({ db, tail, isServed: true, onClosed: () => void served.delete(folder) });
}

/** Opens a reader in a process that does not serve the folder. */
export function openLmdbReader(folder: string): KeyValueStore {
  const db = openEnvironment(folder);
  const tail = createDataTail(db, join(folder, dataFile));
  return createStore({ db, tail, isServed: false, onClosed: () => undefined });
}

function openEnvironment(folder: string): RootDatabase<string, Buffer> {
  try {
    checkDataFile(folder);
    createLockFile(folder, maxReaders);
    return open<string, Buffer>(folder, {
      encoding: 'string',
      keyEncoding: 'binary',
      mapSize: mapBytes,
      maxReaders,
      // A transaction counts as committed only when it is durable.
      overlappingSync: false,
      eventTurnBatching: false,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const sentence = `The data folder ${folder} cannot be opened (${reason}).`;
    throw new StoreError('unusable', sentence, { cause: error });
  }
}

/** Claims the folder. A running server has its process id in the store, and a reader in the lock file. */
function claim(db: RootDatabase<string, Buffer>, folder: string): void {
  const key = toKey(serverKey);
  if (db.get(toKey(unfinishedKey)) !== undefined) {
    throw new StoreError('unusable', `The data folder ${folder} is a copy that was cut off.`);
  }
  const isClaimed = db.transactionSync(() => {
    db.readerCheck();
    const holder = db.get(key) ?? 'nobody';
    const own = String(process.pid);
    const readers = db.readerList().split('\n');
    const isAlive = readers.some((line) => line.trim().split(/\s+/, 1)[0] === holder);
    if (served.has(folder) || (holder !== own && isAlive)) return false;
    if (holder !== own) void db.put(key, own);
    return true;
  });
  if (!isClaimed) {
    throw new StoreError('locked', `Another process is using the data folder ${folder}.`);
  }
  served.add(folder);
}

interface Waiting {
  readonly operations: readonly StoreOperation[];
  readonly publish: () => void;
  readonly reject: (error: unknown) => void;
}

interface StoreParts {
  readonly db: RootDatabase<string, Buffer>;
  readonly tail: DataTail;
  /** Whether this process serves the folder; otherwise another one may publish versions at any time. */
  readonly isServed: boolean;
  readonly onClosed: () => void;
}

function createStore({ db, tail, isServed, onClosed }: StoreParts): KeyValueStore {
  /**
   * The open cursors. LMDB frees the memory that they read when the store is closed: each use of one would end the process
   * then, even closing it.
   */
  const cursors = new Set<Iterator<unknown>>();
  let areReadsClosed = false;
  const checkOpen = () => {
    if (areReadsClosed) throw closedError();
  };

  /** Opens a reference-counted version, which the store and its snapshots share. */
  const openVersion = () => {
    const transaction = db.useReadTransaction();
    let users = 1;
    const release = () => {
      if (--users === 0 && !areReadsClosed) transaction.done();
    };
    const reads: Pick<KeyValueStore, 'get' | 'range' | 'count'> = {
      get(key) {
        checkOpen();
        const bytes = toKey(key);
        return bytes.length > maxKeyBytes ? undefined : db.get(bytes, { transaction });
      },
      *range(range) {
        checkOpen();
        const cursor = db.getRange(rangeOptions(range, transaction))[Symbol.iterator]();
        cursors.add(cursor);
        try {
          for (let next = cursor.next(); next.done !== true; next = cursor.next()) {
            const entry: Entry = [next.value.key, next.value.value];
            yield entry;
            checkOpen();
          }
        } finally {
          // Unless the store has closed it.
          if (cursors.delete(cursor)) cursor.return?.();
        }
      },
      count(range) {
        checkOpen();
        // The count of LMDB takes no limit.
        return range.limit === undefined
          ? db.getKeysCount(rangeOptions(range, transaction))
          : [...db.getKeys(rangeOptions(range, transaction))].length;
      },
    };
    const snapshot = (): Snapshot => {
      users++;
      return { ...reads, release };
    };
    return { ...reads, release, snapshot };
  };

  let published = openVersion();
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let commits = 0;

  const renew = () => {
    const former = published;
    db.resetReadTxn();
    published = openVersion();
    former.release();
  };

  const commit = async (group: readonly Waiting[]) => {
    const added = group.flatMap((each) => each.operations);
    const operations = resolveAdditions(added, published.get);
    const cause = await tail.prepare(operations);
    if (cause !== undefined) throw new StoreError('failed', 'The disk is full.', { cause });
    if (await tail.isRemoved()) throw new StoreError('broken', 'The data file was removed.');
    await writeBatch(db, operations);
    renew();
    // A killed backup would otherwise keep the pages that it was reading from being reused.
    if (++commits % readerCheckCommits === 0) db.readerCheck();
    for (const each of group) each.publish();
  };

  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        await commit(group);
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error);
        else for (const each of group) await commit([each]).catch(each.reject);
      }
    }
    running = null;
  };

  let closed: Promise<void> | null = null;
  const close = async () => {
    await running;
    published.release();
    areReadsClosed = true;
    for (const cursor of cursors) cursor.return?.();
    cursors.clear();
    await tail.close();
    await db.close();
    onClosed();
  };

  return {
    get: (key) => published.get(key),
    range: (range) => published.range(range),
    count: (range) => published.count(range),
    snapshot() {
      if (!isServed) renew();
      return published.snapshot();
    },
    write: (operations, onPublished = () => undefined) =>
      new Promise<void>((resolve, reject) => {
        if (closed !== null) throw closedError();
        const publish = () => {
          onPublished();
          resolve();
        };
        waiting.push({ operations, publish, reject });
        running ??= Promise.resolve().then(run);
      }),
    async clear() {
      await db.clearAsync();
      await writeBatch(db, [{ type: 'put', key: serverKey, value: String(process.pid) }]);
      renew();
    },
    isShort: tail.isShort,
    close: () => (closed ??= close()),
  };
}

const closedError = () => new StoreError('closed', 'The store has been closed.');

const rangeOptions = ({ start, end, isReverse = false, limit }: KeyRange, from: Transaction) => ({
  transaction: from,
  ...(limit === undefined ? {} : { limit }),
  ...(isReverse
    ? { start: toKey(end), end: toKey(start), reverse: true, exclusiveStart: true }
    : { start: toKey(start), end: toKey(end) }),
  inclusiveEnd: isReverse,
});

async function writeBatch(
  db: RootDatabase<string, Buffer>,
  operations: readonly Put[],
): Promise<void> {
  if (operations.length === 0) return;
  const tooLong = operations.find((each) => toKey(each.key).length > maxKeyBytes);
  if (tooLong !== undefined) throw new Error('A key is too long for the store.');
  try {
    await db.batch(() => {
      for (const each of operations) {
        if (each.type === 'put') void db.put(toKey(each.key), each.value);
        else void db.remove(toKey(each.key));
      }
    });
  } catch (error) {
    throw await toWriteError(error);
  }
}

/** Converts an error of LMDB, which gives its reason in a separate promise. */
async function toWriteError(thrown: unknown): Promise<StoreError> {
  const reason = thrown instanceof Error && 'commitError' in thrown ? thrown.commitError : thrown;
  const cause: unknown = await Promise.resolve(reason).catch((rejected: unknown) => rejected);
  const code = cause instanceof Error && 'code' in cause ? Number(cause.code) : 0;
  return brokenCodes.has(code)
    ? new StoreError('broken', 'The store cannot be written any more.', { cause })
    : new StoreError('failed', 'The store could not be written; the disk may be full.', { cause });
}
