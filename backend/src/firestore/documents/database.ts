import type { Clock } from '../../clock.ts';
import type { KeyValueStore } from '../../store/key-value-store.ts';
import type { AccessPolicy, Batch, DocumentState } from '../access-policy.ts';
import { ADMIN, type Caller } from '../caller.ts';
import { createChangeLog, type Commit, type Recent } from './change-log.ts';
import { createCommitter, type CommitResult } from '../commit/committer.ts';
import { loadState, ceilingOperation, evictionOperations } from './document-storage.ts';
import { createDocumentTable } from './document-table.ts';
import type { StoredDocument } from '../values/document.ts';
import { permissionDenied } from '../firestore-error.ts';
import type { FieldPath } from '../values/field-path.ts';
import type { Query } from '../query/query.ts';
import type { RequireIndexes } from '../query/require-indexes.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { requestTime } from '../values/timestamp.ts';
import { createVersionClock } from '../commit/version-clock.ts';
import type { Write } from '../commit/write.ts';

/**
 * - Reads see exactly the commits that are durable, and all documents of one read are of one version.
 * - Every read and write of a client passes the policy here; `ADMIN` is for the process itself.
 * - Listeners are called once per commit, in commit order, after it is durable.
 */
export interface Database {
  readonly names: DatabaseNames;
  readonly epoch: string;
  /** The version of everything that is read until the next `await`. */
  readVersion(): number;
  get(caller: Caller, path: string): StoredDocument | null;
  /** Several of one request: the policy judges each, and counts what it looks at together. */
  getAll(caller: Caller, paths: readonly string[]): readonly (StoredDocument | null)[];
  /** `aggregated`: the fields that will be summed up, which hosted Firestore reads from an index. */
  query(caller: Caller, query: Query, aggregated?: readonly FieldPath[]): readonly StoredDocument[];
  /** How many documents a query finds, without asking the policy. */
  count(query: Query): number;
  mayGet(caller: Caller, path: string): boolean;
  mayList(caller: Caller, query: Query): boolean;
  commit(caller: Caller, writes: readonly Write[]): Promise<CommitResult>;
  /** The listener must not throw: others and the acknowledgement come after it. */
  onCommit(listener: (commit: Commit) => void): () => void;
  /** The policy answers differently from now on. */
  policyChanged(): void;
  onPolicyChange(listener: () => void): () => void;
  commitsSince(version: number): Recent;
  /** For the server's own use, without asking the policy. */
  peek(path: string): StoredDocument | null;
  /** Documents of a collection group changed after a version, without asking the policy. */
  changedSince(collectionId: string, version: number): readonly StoredDocument[];
  size(): number;
  /** Waits for running commits and stores the last version. */
  close(): Promise<void>;
}

export interface DatabaseDeps {
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  readonly policy: AccessPolicy;
  readonly clock: Clock;
  /** Absent: every query is answered, whatever indexes are declared. */
  readonly requireIndexes?: RequireIndexes;
  readonly newEpoch: () => string;
  /** Told when a commit could not be stored; the database refuses writes from then on. */
  readonly onStorageFailure: (error: unknown) => void;
}

export async function openDatabase(deps: DatabaseDeps): Promise<Database> {
  const { names, policy, store } = deps;
  const state = await loadState(store, names, deps.newEpoch);
  const table = createDocumentTable();
  for (const after of state.documents) table.apply({ path: after.path, before: null, after });
  const nowMs = () => deps.clock.now();
  const log = createChangeLog({ ...state, nowMs });
  const takeEvictions = () => {
    const evicted = log.takeEvicted();
    return evicted === undefined ? [] : evictionOperations(evicted);
  };
  const versions = createVersionClock(state.ceiling, nowMs);
  const listeners = new Set<(commit: Commit) => void>();
  const policyListeners = new Set<() => void>();
  const lease = createVersionLease(store, deps.onStorageFailure);

  const publish = (commit: Commit) => {
    for (const change of commit.changes) table.apply(change);
    versions.publish(commit.version);
    if (commit.changes.length === 0) return;
    log.append(commit);
    for (const listener of listeners) listener(commit);
  };
  const committer = createCommitter({
    ...deps,
    table,
    versions,
    publish,
    storedWithNext: takeEvictions,
  });
  // Without it the last documents that were deleted would stay in the store until the next commit.
  const stopEvicting = deps.clock.every(EVICTION_MS, () => {
    log.evict();
    const operations = takeEvictions();
    if (operations.length === 0) return;
    store.write(operations, { durable: false }).catch(deps.onStorageFailure);
  });

  const mayRead = (caller: Caller, path: string, batch: Batch) => {
    if (caller === ADMIN) return true;
    const before: DocumentState | null = table.get(path);
    const { get } = table;
    return policy({
      auth: caller,
      operation: 'get',
      path,
      before,
      after: before,
      get,
      getAfter: get,
      time: requestTime(versions.read()),
      batch,
    });
  };
  const mayGet = (caller: Caller, path: string) =>
    mayRead(caller, path, { size: 1, accessed: new Set() });
  const mayList = (caller: Caller, query: Query) =>
    caller === ADMIN ||
    policy({
      auth: caller,
      operation: 'list',
      query,
      get: table.get,
      getAfter: table.get,
      time: requestTime(versions.read()),
    });

  return {
    names,
    epoch: state.epoch,
    readVersion: () => lease.cover(versions.read()),
    mayGet,
    mayList,
    get(caller, path) {
      if (!mayGet(caller, path)) throw permissionDenied();
      return table.get(path);
    },
    getAll(caller, paths) {
      const batch: Batch = { size: paths.length, accessed: new Set() };
      return paths.map((path) => {
        if (!mayRead(caller, path, batch)) throw permissionDenied();
        return table.get(path);
      });
    },
    query(caller, query, aggregated = []) {
      if (!mayList(caller, query)) throw permissionDenied();
      deps.requireIndexes?.(query, aggregated);
      return table.query(query);
    },
    commit: (caller, writes) => committer.commit(caller, writes),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    policyChanged() {
      for (const listener of policyListeners) listener();
    },
    onPolicyChange(listener) {
      policyListeners.add(listener);
      return () => policyListeners.delete(listener);
    },
    commitsSince: (version) => log.since(version),
    peek: table.get,
    changedSince: (collectionId, version) => table.changedSince(collectionId, version),
    count: (query) => table.count(query),
    size: () => table.size(),
    async close() {
      stopEvicting();
      await committer.drain();
      await store.write([ceilingOperation(versions.read())]).catch(deps.onStorageFailure);
    },
  };
}

const EVICTION_MS = 3_600_000;
const LEASE_MICROS = 2_000_000;

/**
 * Keeps a stored version ahead of every read version, so that a restart after the wall clock was set
 * back does not issue a version a client has already seen. Not waited for: only a crash within the
 * same instant as a clock step could undercut it.
 */
function createVersionLease(store: KeyValueStore, onFailure: (error: unknown) => void) {
  let ceiling = 0;
  return {
    cover(version: number): number {
      if (version > ceiling) {
        ceiling = version + LEASE_MICROS;
        store.write([ceilingOperation(ceiling)], { durable: false }).catch(onFailure);
      }
      return version;
    },
  };
}
