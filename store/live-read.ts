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
import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type RxCollection,
} from 'rxdb/plugins/core';
import { placeOf } from './rx-storage.ts';

export interface LiveReadOptions<T> {
  /** Names of object stores. */
  readonly stores: readonly string[];
  /** Whether a write to the row or value with that key may change what is found. */
  readonly isConcerned?: (key: string) => boolean;
  readonly read: () => Promise<T>;
}

/**
 * What `read` finds, now and after each commit, in this tab or another. It ends without an error when the database is closed.
 * @param of any collection of the database.
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
 * How many rows there are, counted anew in the index after each commit. RxDB's own live count adds up the events of other
 * tabs, and counts a row twice that it has counted before it hears of it.
 */
export function liveCount<Row>(
  collection: RxCollection<Row>,
  selector: MangoQuery<Row>['selector'],
): Observable<number> {
  const { name, storageInstance: instance } = collection;
  const query = { selector: { ...selector, _deleted: { $eq: false } } };
  // RxDB's own flag is in every row, which the type of a row does not say.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const normalized = normalizeMangoQuery<Row>(instance.schema, query as MangoQuery<Row>);
  const prepared = prepareQuery<Row>(instance.schema, normalized);
  return liveRead(collection, {
    stores: [name],
    read: async () => (await instance.count(prepared)).count,
  });
}
