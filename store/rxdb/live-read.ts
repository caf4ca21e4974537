import {
  catchError,
  EMPTY,
  filter,
  merge,
  startWith,
  switchMap,
  throwError,
  type Observable,
} from 'rxjs';
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../schemas/documents/document.ts';
import { prepareLive } from './prepare-live.ts';
import { placeOf } from './rx-storage.ts';

export interface LiveReadOptions<T> {
  /** Names of object stores. */
  readonly stores: readonly string[];
  /** Whether a write to the row or value with that key may change the result. */
  readonly isConcerned?: (key: string) => boolean;
  readonly read: () => Promise<T>;
}

/**
 * Watches the result of `read`: now and after each commit that concerns it, in this tab or another. It completes
 * without an error when the database is closed. @param of any collection of the database.
 */
export function liveRead<T>(
  of: RxCollection,
  { stores, isConcerned = () => true, read }: LiveReadOptions<T>,
): Observable<T> {
  const { changes } = placeOf(of);
  return merge(...stores.map((store) => changes.of(store))).pipe(
    filter(({ events }) => events.some(({ documentId }) => isConcerned(documentId))),
    startWith(null),
    switchMap(read),
    catchError((error: unknown) => (of.database.closed ? EMPTY : throwError(() => error))),
  );
}

/**
 * Watches the number of rows, counted in the index after each commit. RxDB's own live count adds up the events of other
 * tabs, and counts a row twice if its event arrives after the count.
 */
export function liveCount<Row>(
  collection: RxCollection<Row>,
  selector: NonNullable<MangoQuery<Row>['selector']>,
): Observable<number> {
  const { name, storageInstance: instance } = collection;
  const prepared = prepareLive(collection, { selector });
  return liveRead(collection, {
    stores: [name],
    read: async () => (await instance.count(prepared)).count,
  });
}

/** More rows are counted in the index alone, since they would be read again after each commit. */
const testedMax = 500;

/**
 * Counts the rows of one sync state that pass a test, which no index covers. If there are more than 500, all of them are
 * counted.
 */
export async function countPassing<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: Row['pending'],
  isCounted: (row: Row) => boolean,
): Promise<number> {
  const { storageInstance: instance } = collection;
  const query = { selector: { pending }, sort: [{ pending: 'asc' }, { id: 'asc' }] };
  // RxDB's type of a query does not follow the properties of a generic row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const prepared = prepareLive(collection, query as MangoQuery<Row>);
  const { count } = await instance.count(prepared);
  if (count === 0 || count > testedMax) return count;
  return (await instance.query(prepared)).documents.filter(isCounted).length;
}

/** Watches the number that {@link countPassing} counts. */
export function liveCountPassing<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: Row['pending'],
  isCounted: (row: Row) => boolean,
): Observable<number> {
  const read = () => countPassing(collection, pending, isCounted);
  return liveRead(collection, { stores: [collection.name], read });
}
