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

/** The number of rows in one read. */
const pageSize = 500;

/**
 * Watches the number of rows of one sync state that pass a test, which no index covers: it reads them page by page after
 * each commit.
 */
export function liveCountPassing<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: Row['pending'],
  isCounted: (row: Row) => boolean,
): Observable<number> {
  const { name, storageInstance: instance } = collection;
  const readPage = async (afterId: string): Promise<readonly Row[]> => {
    const query = {
      selector: { pending, id: { $gt: afterId } },
      sort: [{ pending: 'asc' }, { id: 'asc' }],
      limit: pageSize,
    };
    // RxDB's type of a query does not follow the properties of a generic row.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const prepared = prepareLive(collection, query as MangoQuery<Row>);
    return (await instance.query(prepared)).documents;
  };
  const read = async (): Promise<number> => {
    let count = 0;
    let afterId: string | null = '';
    while (afterId !== null) {
      const page: readonly Row[] = await readPage(afterId);
      count += page.filter(isCounted).length;
      afterId = page.length < pageSize ? null : (page.at(-1)?.id ?? null);
    }
    return count;
  };
  return liveRead(collection, { stores: [name], read });
}
