import type { AccessPolicy, AuthContext } from '../../src/firestore/access-policy.ts';
import { openDatabase, type Database } from '../../src/firestore/documents/database.ts';
import type { RequireIndexes } from '../../src/firestore/query/require-indexes.ts';
import { createDatabaseNames } from '../../src/firestore/values/resource-path.ts';
import { createManualClock, type ManualClock } from './fakes/manual-clock.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/limits/defaults.ts';
import { createMemoryStore, type MemoryStore } from './fakes/memory-store.ts';

export const NAMES = createDatabaseNames('demo-pawpals');
export const ALICE: AuthContext = { uid: 'alice', claims: {}, expiresAtMs: Infinity };
export const BOB: AuthContext = { uid: 'bob', claims: {}, expiresAtMs: Infinity };

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
    limits?: Partial<Limits>;
    shortage?: () => string | null;
  } = {},
): Promise<TestDatabase> {
  const { policy = () => true, store = createMemoryStore(), clock = createManualClock() } = options;
  const { requireIndexes, shortage = () => null } = options;
  const storageFailures: unknown[] = [];
  const database = await openDatabase({
    store,
    clock,
    policy,
    names: NAMES,
    ...(requireIndexes === undefined ? {} : { requireIndexes }),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    shortage,
    newEpoch: () => 'epoch-1',
    onStorageFailure: (error) => storageFailures.push(error),
  });
  return { database, store, clock, storageFailures };
}
