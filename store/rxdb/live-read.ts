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
import { isVisibleChange } from '../../schemas/documents/visible-change.ts';
import type { UnsentDocuments } from '../../schemas/local/unsent-items.ts';
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

/** More rows are counted in the index alone, since they would be read again after each commit. */
const readMax = 500;

/** One object for most answers, so that a commit which leaves nothing unsent changes nothing for a screen. */
const noUnsent: UnsentDocuments = { count: 0, hiddenCount: 0, ids: [] };

/**
 * Reads which documents of one sync state are unsent, from the disk: RxDB's own live count adds up the events of other
 * tabs, and counts a row twice if its event arrives after the count. If there are more than 500, all of them are
 * counted, without their ids.
 */
export async function readUnsentDocuments<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: 1 | 2,
): Promise<UnsentDocuments> {
  const { storageInstance: instance } = collection;
  const query = { selector: { pending }, sort: [{ pending: 'asc' }, { id: 'asc' }] };
  // RxDB's type of a query does not follow the properties of a generic row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const prepared = prepareLive(collection, query as MangoQuery<Row>);
  const { count } = await instance.count(prepared);
  if (count === 0) return noUnsent;
  if (count > readMax) return { ...noUnsent, count };
  const { documents } = await instance.query(prepared);
  const shown = documents.filter((row) => pending === 2 || isVisibleChange(row));
  return {
    count: shown.length,
    hiddenCount: documents.length - shown.length,
    ids: shown.map(({ id }) => id),
  };
}

/** Watches what {@link readUnsentDocuments} reads. */
export function liveUnsentDocuments<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: 1 | 2,
): Observable<UnsentDocuments> {
  const read = () => readUnsentDocuments(collection, pending);
  return liveRead(collection, { stores: [collection.name], read });
}
