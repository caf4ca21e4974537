import {
  catchError,
  EMPTY,
  filter,
  merge,
  Observable,
  startWith,
  switchMap,
  throwError,
} from 'rxjs';
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core';
import { isVisibleChange, type Entry, type Pet } from '../../schemas/documents/document.ts';
import {
  listedMax,
  type UnsentDocuments,
  type UnsentOfCollection,
} from '../../schemas/local/unsent-items.ts';
import { prepareLive } from './prepare-live.ts';
import { placeOf } from './rx-storage.ts';

export interface LiveReadOptions<T> {
  /** Names of object stores. */
  readonly stores: readonly string[];
  /** Whether a write to the row or value with that key may change the result. */
  readonly isConcerned?: (key: string) => boolean;
  /** Watches what else may change the result. @returns a function that stops watching. */
  readonly trigger?: (onChange: () => void) => () => void;
  readonly read: () => Promise<T>;
}

/**
 * Watches the result of `read`: now, after each commit that concerns it, in this tab or another, and when the trigger
 * fires. An outdated result is dropped. It completes without an error when the database is closed.
 * @param of any collection of the database.
 */
export function liveRead<T>(
  of: RxCollection,
  { stores, isConcerned = () => true, trigger, read }: LiveReadOptions<T>,
): Observable<T> {
  const { changes } = placeOf(of);
  const commits = merge(...stores.map((store) => changes.of(store))).pipe(
    filter(({ events }) => events.some(({ documentId }) => isConcerned(documentId))),
  );
  const changesOfAnyKind = new Observable<unknown>((observer) => {
    observer.add(trigger?.(() => observer.next(null)));
    return commits.subscribe(observer);
  });
  return changesOfAnyKind.pipe(
    startWith(null),
    switchMap(read),
    catchError((error: unknown) => (of.database.closed ? EMPTY : throwError(() => error))),
  );
}

/** More rows are counted in the index alone, since all would be read again after each commit. */
const readMax = 500;

/** One object for most answers, so that a commit which leaves nothing unsent changes nothing for a screen. */
const noUnsent: UnsentDocuments<never> = { count: 0, hiddenCount: 0, rows: [] };
const nothingUnsent: UnsentOfCollection<never> = { waiting: noUnsent, parked: noUnsent };

async function readPending<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
  pending: 1 | 2,
): Promise<UnsentDocuments<Row>> {
  const { storageInstance: instance } = collection;
  const query = { selector: { pending }, sort: [{ pending: 'asc' }, { id: 'asc' }] };
  const prepare = (limit: object) =>
    // RxDB's type of a query does not follow the properties of a generic row.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    prepareLive(collection, { ...query, ...limit } as MangoQuery<Row>);
  const all = prepare({});
  const { count } = await instance.count(all);
  if (count === 0) return noUnsent;
  const isRead = count <= readMax;
  const { documents } = await instance.query(isRead ? all : prepare({ limit: listedMax }));
  const rows = documents.filter((row) => pending === 2 || isVisibleChange(row));
  if (!isRead) return { count, hiddenCount: 0, rows };
  return { count: rows.length, hiddenCount: documents.length - rows.length, rows };
}

/**
 * Reads which documents of a collection are unsent, from the disk: RxDB's own live count adds up the events of other
 * tabs, and counts a row twice if its event arrives after the count. If more than 500 are in one state, all of them are
 * counted, and only the first ones are read.
 */
export async function readUnsentDocuments<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
): Promise<UnsentOfCollection<Row>> {
  const [waiting, parked] = await Promise.all([
    readPending(collection, 1),
    readPending(collection, 2),
  ]);
  return waiting === noUnsent && parked === noUnsent ? nothingUnsent : { waiting, parked };
}

/** Watches what {@link readUnsentDocuments} reads: a row that changes its state is not missing in between. */
export function liveUnsentDocuments<Row extends Pet | Entry>(
  collection: RxCollection<Row>,
): Observable<UnsentOfCollection<Row>> {
  const read = () => readUnsentDocuments(collection);
  return liveRead(collection, { stores: [collection.name], read });
}
