import {
  categorizeBulkWriteRows,
  ensureRxStorageInstanceParamsAreCorrect,
  getPrimaryFieldOfPrimaryKey,
  getQueryMatcher,
  getSortComparator,
  now,
  RXDB_VERSION,
  type BulkWriteRow,
  type FilledMangoQuery,
  type PreparedQuery,
  type RxCollection,
  type RxDocumentData,
  type RxStorage,
  type RxStorageInstance,
  type RxStorageInstanceCreationParams,
  type StringKeys,
} from 'rxdb/plugins/core';
import type { Changes } from './changes.ts';
import {
  booleansOf,
  deletedPath,
  type IndexedSchema,
  type StoreIndex,
} from '../indexeddb/indexes.ts';
import { scanOf, type Scan } from '../indexeddb/key-range.ts';
import { answerOf, writeTo } from '../indexeddb/requests.ts';
import { valueAt } from './selectors.ts';

/** The database and object store of one collection. */
export interface Place {
  /** Once the browser has closed it, every call fails, since its data may be gone. */
  readonly database: IDBDatabase;
  /** The object store. */
  readonly store: string;
  readonly indexes: readonly StoreIndex[];
  readonly changes: Changes;
  /** Called once, when the collection is closed. */
  close(): void;
}

/** Returns the place of an open collection. */
export function placeOf({ storageInstance }: RxCollection): Place {
  // RxDB returns the value that `createInstance` gave it, without its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return storageInstance.internals as Place;
}

export interface CollectionName {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly schema: IndexedSchema & { readonly version: number };
}

export type FindPlace = (collection: CollectionName) => Promise<Place>;

/**
 * Creates an RxDB storage on existing object stores, which may share one database.
 *
 * - Rows are stored as they are. A deleted row is stored inside another object, so that no index contains it.
 * - A resolved write has reached the disk.
 * - There are no attachments and no change log: bytes have stores of their own, and sync queries pending documents.
 */
export function createRxStorage(findPlace: FindPlace): RxStorage<Place, object> {
  return {
    name: 'pawpals',
    rxdbVersion: RXDB_VERSION,
    createStorageInstance: async <Row>(
      params: RxStorageInstanceCreationParams<Row, object>,
    ): Promise<RxStorageInstance<Row, Place, object>> => {
      ensureRxStorageInstanceParamsAreCorrect(params);
      if (params.schema.attachments !== undefined) throw new Error('There are no attachments');
      return createInstance(params, await findPlace(params));
    },
  };
}

/** Whether it is the stored form of a deleted row: RxDB compares the next row of that id with it. */
function isDeletedRow(stored: object): stored is { readonly deletedRow: unknown } {
  return 'deletedRow' in stored;
}

/** Returns RxDB's row from its stored form. */
export function rowIn(stored: object): unknown {
  return isDeletedRow(stored) ? stored.deletedRow : stored;
}

function createInstance<Row>(
  { databaseName, collectionName, schema, options }: RxStorageInstanceCreationParams<Row, object>,
  place: Place,
): RxStorageInstance<Row, Place, object> {
  type Stored = RxDocumentData<Row>;
  const { database, store, indexes, changes } = place;
  // No primary key contains RxDB's own columns.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const primaryPath = getPrimaryFieldOfPrimaryKey(schema.primaryKey) as StringKeys<Row>;
  const keys = { primaryPath, booleans: booleansOf(schema), indexes };
  let closed: Promise<void> | null = null;

  const idOf = (row: Stored): string => String(valueAt(row, primaryPath));

  const toStored = (row: Stored): object =>
    row._deleted ? { [primaryPath]: idOf(row), deletedRow: row } : row;

  // A store has only its own collection's rows.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fromStored = (stored: object): Stored => rowIn(stored) as Stored;

  const requireOpen = (): void => {
    if (closed !== null) throw new Error(`${collectionName} is closed`);
  };

  const beginRead = (): IDBObjectStore => {
    requireOpen();
    return database.transaction(store, 'readonly').objectStore(store);
  };

  const readAll = async (objects: IDBObjectStore, ids: readonly string[]): Promise<Stored[]> => {
    const found: (object | undefined)[] = await Promise.all(
      ids.map(async (id) => answerOf(objects.get(id))),
    );
    return found.flatMap((stored) => (stored === undefined ? [] : [fromStored(stored)]));
  };

  const write = async <Result>(
    work: (objects: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> => {
    requireOpen();
    return writeTo(database, store, (transaction) => work(transaction.objectStore(store)));
  };

  const compareAndSet = (writes: BulkWriteRow<Row>[], context: string) =>
    write(async (objects) => {
      const ids = writes.map(({ document }) => idOf(document));
      const rows = new Map((await readAll(objects, ids)).map((row) => [idOf(row), row]));
      const found = categorizeBulkWriteRows(instance, primaryPath, rows, writes, context);
      const changed = [...found.bulkInsertDocs, ...found.bulkUpdateDocs];
      await Promise.all(
        changed.map(async ({ document }) => answerOf(objects.put(toStored(document)))),
      );
      return found;
    });

  const matcherOf = (query: FilledMangoQuery<Row>, scan: Scan, isSatisfied: boolean) => {
    const isWholeMatch = isSatisfied && scan.isExact;
    const matches = isWholeMatch ? () => true : getQueryMatcher(schema, query);
    return (row: Stored): boolean =>
      scan.pinned.every(([path, value]) => valueAt(row, path) === value) && matches(row);
  };

  const find = async ({ query, queryPlan }: PreparedQuery<Row>): Promise<Stored[]> => {
    const scan = scanOf(queryPlan, keys);
    if (scan === null) return [];
    const objects = beginRead();
    const source = scan.index === null ? objects : objects.index(scan.index);
    const matches = matcherOf(query, scan, queryPlan.selectorSatisfiedByIndex);
    const isSorted = queryPlan.sortSatisfiedByIndex && scan.isOrdered;
    const wanted = query.limit === undefined ? Infinity : query.skip + query.limit;
    // If rows in between do not match, it reads again with a larger limit.
    for (let count = wanted; ; count *= 4) {
      const limit = isSorted && Number.isFinite(count) && count > 0 ? count : undefined;
      const stored = await answerOf<object[]>(source.getAll(scan.range, limit));
      const rows = stored.map(fromStored).filter(matches);
      if (limit !== undefined && rows.length < wanted && stored.length === limit) continue;
      if (!isSorted) rows.sort(getSortComparator(schema, query));
      return rows.slice(query.skip, wanted);
    }
  };

  const instance: RxStorageInstance<Row, Place, object> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals: place,
    bulkWrite: async (writes, context) => {
      const found = await compareAndSet(writes, context);
      const last = found.newestRow?.document;
      if (last !== undefined && found.eventBulk.events.length > 0) {
        found.eventBulk.checkpoint = { id: idOf(last), lwt: last._meta.lwt };
        changes.publish([[store, found.eventBulk]]);
      }
      return { error: found.errors };
    },
    findDocumentsById: async (ids, withDeleted) => {
      const rows = await readAll(beginRead(), ids);
      return withDeleted ? rows : rows.filter(({ _deleted }) => !_deleted);
    },
    query: async (prepared) => ({ documents: await find(prepared) }),
    count: async (prepared) => {
      const { selectorSatisfiedByIndex: isSatisfied } = prepared.queryPlan;
      const scan = scanOf(prepared.queryPlan, keys);
      if (scan === null) return { count: 0, mode: 'fast' };
      const isCountable = isSatisfied && scan.isExact && scan.index !== null;
      if (!isCountable || scan.pinned.some(([path]) => path !== deletedPath)) {
        // RxDB refuses a slow count, that is one that reads rows outside of the range.
        const mode = isSatisfied ? 'fast' : 'slow';
        return { count: (await find(prepared)).length, mode };
      }
      const index = beginRead().index(scan.index);
      return { count: await answerOf(index.count(scan.range ?? undefined)), mode: 'fast' };
    },
    getAttachmentData: () => Promise.reject(new Error('There are no attachments')),
    changeStream: () => changes.of(store),
    cleanup: async (minimumDeletedTime) => {
      const before = now() - minimumDeletedTime;
      await write(async (objects) => {
        const stored = await answerOf<object[]>(objects.getAll());
        const old = stored
          .filter(isDeletedRow)
          .map(fromStored)
          .filter((row) => row._meta.lwt < before);
        await Promise.all(old.map(async (row) => answerOf(objects.delete(idOf(row)))));
      });
      return true;
    },
    close: () => {
      closed ??= Promise.resolve(place.close());
      return closed;
    },
    remove: async () => {
      await write((objects) => answerOf(objects.clear()));
      await instance.close();
    },
  };
  return instance;
}
