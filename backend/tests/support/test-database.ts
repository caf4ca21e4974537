import type { AuthContext } from '../../src/caller.ts';
import type { AccessPolicy } from '../../src/firestore/access-policy.ts';
import {
  openDatabase,
  type Database,
  type DatabaseView,
} from '../../src/firestore/documents/database.ts';
import type { Recent, Resumption } from '../../src/firestore/documents/change-log.ts';
import type { Query, RequireIndexes } from '../../src/firestore/query/query.ts';
import { indexShape, withoutFixedOrders } from '../../src/firestore/query/index-range.ts';
import { decodeQuery } from '../../src/firestore/query/query-codec.ts';
import { createDatabaseNames } from '../../src/firestore/values/resource-path.ts';
import type { StoredDocument } from '../../src/firestore/values/document.ts';
import { finish, type Steps } from '../../src/limits/slices.ts';
import { createManualClock, type ManualClock } from './fakes/manual-clock.ts';
import { defaultLimits, type Limits } from '../../src/limits/defaults.ts';
import { createMemoryStore, type MemoryStore } from './fakes/memory-store.ts';

export const databaseNames = createDatabaseNames('demo-pawpals');
export const aliceCaller: AuthContext = { uid: 'alice', claims: {}, expiresAtMs: Infinity };
export const bobCaller: AuthContext = { uid: 'bob', claims: {}, expiresAtMs: Infinity };

export interface TestDatabase {
  readonly database: Database;
  readonly store: MemoryStore;
  readonly clock: ManualClock;
  readonly storageFailures: unknown[];
}

export async function openTestDatabase(
  options: {
    policy?: AccessPolicy;
    store?: MemoryStore;
    clock?: ManualClock;
    requireIndexes?: RequireIndexes;
    /** The queries that have indexes. */
    indexed?: readonly Query[];
    limits?: Partial<Limits>;
    shortage?: () => string | null;
  } = {},
): Promise<TestDatabase> {
  const { policy = () => true, store = createMemoryStore(), clock = createManualClock() } = options;
  const { requireIndexes, indexed = [], shortage = () => null } = options;
  const storageFailures: unknown[] = [];
  const database = await openDatabase({
    store,
    clock,
    policy,
    names: databaseNames,
    ...(requireIndexes === undefined ? {} : { requireIndexes }),
    indexes: indexed.map((each) => indexShape(withoutFixedOrders(each))),
    limits: { ...defaultLimits, ...options.limits },
    shortage,
    newEpoch: () => 'epoch-1',
    onStorageFailure: (error) => storageFailures.push(error),
  });
  await database.storeEpoch(() => Promise.resolve());
  return { database, store, clock, storageFailures };
}

/** The documents of a query, in its order, whether or not it has an index. */
export function answerOf(database: Database, query: Query): readonly StoredDocument[] {
  const documents: StoredDocument[] = [];
  finish(database.readPublished(query, (each) => void documents.push(each)));
  return documents;
}

/** The documents of a collection group, in the order of their versions. */
export function documentsOf(database: Database, collectionId: string): readonly StoredDocument[] {
  const group = decodeQuery({ from: [{ collectionId, allDescendants: true }] }, '', databaseNames);
  return answerOf(database, group).toSorted(
    (one, other) => one.updateVersion - other.updateVersion,
  );
}

export const countOf = (database: Database, query: Query): number =>
  inView(database, (view) => view.count(query));

export const changesSince = (database: Database, query: Query, from: number): Recent =>
  inView(database, (view) => view.changesSince(resumption(query, from)));

/** Returns the resumption of a query from a version, by a listener of Alice. */
export const resumption = (query: Query, from: number): Resumption => ({
  query,
  from,
  uid: aliceCaller.uid,
  hold: () => undefined,
});

function inView<Result>(database: Database, read: (view: DatabaseView) => Steps<Result>): Result {
  const view = database.openView();
  try {
    return finish(read(view));
  } finally {
    view.release();
  }
}
