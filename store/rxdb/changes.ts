import { getHeightOfRevision, type EventBulk, type RxStorageChangeEvent } from 'rxdb/plugins/core';
import { Subject, type Observable } from 'rxjs';
import type { OpenChannel } from './message-channel.ts';

/** RxDB's change events of one object store in one transaction. Each store has another type of row, hence `any`. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Bulk = EventBulk<RxStorageChangeEvent<any>, unknown>;

/** Bulks of one transaction, by object store. */
export type BulksByStore = readonly (readonly [store: string, bulk: Bulk])[];

/**
 * Returns a bulk for other tabs, which may read a row before its message arrives. RxDB calculates the new list of a
 * query from events, and would list the row of a late insert twice. An update whose previous row is unknown gives the
 * right list, early or late, unless the query skips rows.
 */
function forOtherTabs(bulk: Bulk): Bulk {
  const events = bulk.events.map((event) => ({
    ...event,
    operation: event.operation === 'INSERT' ? 'UPDATE' : event.operation,
    previousDocumentData: undefined,
  }));
  return { ...bulk, events };
}

/** The number of rows whose last change is remembered, which is more than change while a message is under way. */
const rememberedMax = 1_000;

/**
 * Remembers the last changes that this tab has heard of. A tab that is busy sends its message late, when this one may
 * have read the row and changed it; or this one learns late that its own write is complete, which another tab has changed
 * since. RxDB would show the older row again.
 */
function createNews() {
  const heights = new Map<string, number>();
  let highest = 0;

  /** Returns the events of rows that have not changed further. */
  const of = (store: string, { events }: Bulk): Bulk['events'] =>
    events.filter(({ documentId, documentData }) => {
      // A value that RxDB does not know has no revision.
      if (documentData === undefined) return true;
      const key = `${store} ${documentId}`;
      const height = getHeightOfRevision(documentData._rev);
      highest = Math.max(highest, height);
      if (height <= (heights.get(key) ?? 0)) return false;
      heights.delete(key);
      heights.set(key, height);
      const [oldest = ''] = heights.keys();
      if (heights.size > rememberedMax) heights.delete(oldest);
      return true;
    });
  return { of, highest: () => highest };
}

export type Changes = ReturnType<typeof openChanges>;

/**
 * Publishes writes to all who have the database open: to this tab at once, to other tabs and the worker by one message
 * per transaction, so that nobody sees half of one.
 */
export function openChanges(databaseName: string, openChannel: OpenChannel) {
  const subjects = new Map<string, Subject<Bulk>>();
  const channel = openChannel(`pawpals-changes:${databaseName}`);

  const news = createNews();
  const tell = (bulks: BulksByStore): void => {
    for (const [store, bulk] of bulks) {
      const events = news.of(store, bulk);
      if (events.length > 0) subjects.get(store)?.next({ ...bulk, events });
    }
  };
  // Only `publish` below posts to this channel.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  channel.listen((message) => tell(message as BulksByStore));

  return {
    /** Returns the highest height of all revisions that this tab has heard of or written. */
    highest: news.highest,
    of: (store: string): Observable<Bulk> => {
      const found = subjects.get(store) ?? new Subject<Bulk>();
      subjects.set(store, found);
      return found.asObservable();
    },
    publish: (bulks: BulksByStore): void => {
      tell(bulks);
      try {
        channel.post(bulks.map(([store, bulk]) => [store, forOtherTabs(bulk)]));
      } catch {
        // The rows are stored, so a closed channel must not fail the write.
      }
    },
    close: (): void => {
      channel.close();
      for (const subject of subjects.values()) subject.complete();
    },
  };
}
