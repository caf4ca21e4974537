import type { EventBulk, RxStorageChangeEvent } from 'rxdb/plugins/core';
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

/**
 * Publishes writes to all who have the database open: to this tab at once, to other tabs and the worker by one message
 * per transaction, so that nobody sees half of one.
 */
export interface Changes {
  of(store: string): Observable<Bulk>;
  publish(bulks: BulksByStore): void;
  close(): void;
}

export function openChanges(databaseName: string, openChannel: OpenChannel): Changes {
  const subjects = new Map<string, Subject<Bulk>>();
  const channel = openChannel(`pawpals-changes:${databaseName}`);

  const subjectOf = (store: string): Subject<Bulk> => {
    const found = subjects.get(store) ?? new Subject<Bulk>();
    subjects.set(store, found);
    return found;
  };
  const tell = (bulks: BulksByStore): void => {
    for (const [store, bulk] of bulks) subjects.get(store)?.next(bulk);
  };
  // Only `publish` below posts to this channel.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  channel.listen((message) => tell(message as BulksByStore));

  return {
    of: (store) => subjectOf(store).asObservable(),
    publish: (bulks) => {
      tell(bulks);
      try {
        channel.post(bulks.map(([store, bulk]) => [store, forOtherTabs(bulk)]));
      } catch {
        // The rows are stored, so a closed channel must not fail the write.
      }
    },
    close: () => {
      channel.close();
      for (const subject of subjects.values()) subject.complete();
    },
  };
}
