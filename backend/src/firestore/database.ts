import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import type { AccessPolicy, DocumentState } from './access-policy.ts';
import { ADMIN, type Caller } from './caller.ts';
import { createChangeLog, type Commit } from './change-log.ts';
import { createCommitter, type CommitResult, type StoredWith } from './committer.ts';
import { loadState, ceilingOperation } from './document-storage.ts';
import { createDocumentTable } from './document-table.ts';
import type { StoredDocument } from './document.ts';
import { permissionDenied } from './firestore-error.ts';
import type { Query } from './query.ts';
import type { DatabaseNames } from './resource-path.ts';
import { createVersionClock } from './version-clock.ts';
import type { Write } from './write.ts';

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
  query(caller: Caller, query: Query): readonly StoredDocument[];
  /** How many documents a query finds, without asking the policy. */
  count(query: Query): number;
  mayGet(caller: Caller, path: string): boolean;
  mayList(caller: Caller, query: Query): boolean;
  commit(caller: Caller, writes: readonly Write[], storedWith?: StoredWith): Promise<CommitResult>;
  /** The listener must not throw: others and the acknowledgement come after it. */
  onCommit(listener: (commit: Commit) => void): () => void;
  commitsSince(version: number): readonly Commit[] | undefined;
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
  readonly newEpoch: () => string;
  /** Told when a commit could not be stored; the database refuses writes from then on. */
  readonly onStorageFailure: (error: unknown) => void;
}

export async function openDatabase(deps: DatabaseDeps): Promise<Database> {
  const { names, policy, store } = deps;
  const state = await loadState(store, names, deps.newEpoch);
  const table = createDocumentTable();
  for (const after of state.documents) table.apply({ path: after.path, before: null, after });
  const log = createChangeLog(state.version);
  const versions = createVersionClock(state.ceiling, () => deps.clock.now());
  const listeners = new Set<(commit: Commit) => void>();
  const lease = createVersionLease(store, deps.onStorageFailure);

  const publish = (commit: Commit) => {
    for (const change of commit.changes) table.apply(change);
    versions.publish(commit.version);
    if (commit.changes.length === 0) return;
    log.append(commit);
    for (const listener of listeners) listener(commit);
  };
  const committer = createCommitter({ ...deps, table, versions, publish });

  const mayGet = (caller: Caller, path: string) => {
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
    });
  };
  const mayList = (caller: Caller, query: Query) =>
    caller === ADMIN ||
    policy({ auth: caller, operation: 'list', query, get: table.get, getAfter: table.get });

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
    query(caller, query) {
      if (!mayList(caller, query)) throw permissionDenied();
      return table.query(query);
    },
    commit: (caller, writes, storedWith) => committer.commit(caller, writes, storedWith),
    onCommit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    commitsSince: (version) => log.since(version),
    peek: table.get,
    changedSince: (collectionId, version) => table.changedSince(collectionId, version),
    count: (query) => table.count(query),
    size: () => table.size(),
    async close() {
      await committer.drain();
      await store.write([ceilingOperation(versions.read())]).catch(deps.onStorageFailure);
    },
  };
}

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
