import type { Clock } from '../../clock.ts';
import type { Limits } from '../../limits/defaults.ts';
import { LimitError } from '../../limits/limit-error.ts';
import { createSliceMeter, type Steps } from '../../limits/slices.ts';
import { numberAt } from '../../store/key-value-store.ts';
import { mayRead, type AccessPolicy } from '../access-policy.ts';
import { admin, type Caller } from '../../caller.ts';
import { createCommitter } from '../commit/committer.ts';
import { permissionDenied } from '../firestore-error.ts';
import type { Query, RequireIndexes } from '../query/query.ts';
import type { StoredDocument } from '../values/document.ts';
import { requestTime } from '../values/timestamp.ts';
import { createChangeLog, type Commit, type Resumption } from './change-log.ts';
import { allChanges, createCommitListeners, type Scope } from './commit-scopes.ts';
import { createDocumentReader } from './document-reader.ts';
import { versionKey, versionOperation } from './document-record.ts';
import { openIndexTable, type IndexTableDeps } from './index-table.ts';

/** Receives a document with the version of the whole answer. */
type Take<Found> = (document: Found, version: number) => void;

export type DatabaseView = ReturnType<Database['openView']>;

/** The limit for keeping an old version, whose pages on the disk cannot be reused meanwhile. */
const maxViewMs = 30_000;

export interface DatabaseDeps extends IndexTableDeps {
  readonly policy: AccessPolicy;
  readonly clock: Clock;
  /** Without it, every query is answered, whichever indexes are declared. */
  readonly requireIndexes?: RequireIndexes | undefined;
  readonly newEpoch: () => string;
  readonly limits: Limits;
}

/** The key of the identity of this store. */
const epochKey = 'fs/epoch';

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/**
 * - Reads see exactly the commits that are durable, and all documents of one read are of one version.
 * - Every read and write of a client passes the policy here; `admin` is for the process itself.
 * - Listeners are called once per commit that changes what they are about, in commit order, after it is durable.
 */
export async function openDatabase(deps: DatabaseDeps) {
  const { names, policy, store } = deps;
  const nowMs = () => deps.clock.now();
  const known = store.get(epochKey);
  const epoch = known ?? deps.newEpoch();
  if (known === undefined) {
    const version = Math.max(numberAt(store, versionKey), nowMs() * 1000);
    await store.write([versionOperation(version)]);
  }
  /** The version of the last visible commit, which reads have: every later commit gets a higher one. */
  let visible = numberAt(store, versionKey);
  /** The wall clock, and not the version: that stays in the future after a clock that was ahead has been corrected. */
  const now = () => requestTime(nowMs() * 1000);
  const indexes = await openIndexTable(deps);
  const elapsedMs = () => deps.clock.elapsedMs();
  const reader = createDocumentReader({ ...deps, indexes, elapsedMs });
  const { get, charactersOf } = reader.published;
  const log = createChangeLog({ store, names, clock: deps.clock });
  const listeners = createCommitListeners();

  const committer = createCommitter({
    ...deps,
    get,
    charactersOf,
    indexes,
    log,
    now,
    elapsedMs,
    nextVersion: (last = visible) => Math.max(last + 1, Math.floor(nowMs() * 1000)),
    publish(commits) {
      // This comes before any listener reads, since the store has the state after the last commit of the group.
      for (const { changes, version } of commits) {
        reader.forget(changes.map((each) => each.path));
        visible = version;
      }
      for (const commit of commits) listeners.tell(commit);
    },
  });
  /** Stores an empty group: every group of commits evicts the entries above the limits of the log. */
  const evict = () => committer.commit(admin, []).catch(() => undefined);
  // Without the interval, the last deleted documents would stay in the store until the next commit.
  const stopEvicting = deps.clock.every(evictionMs, () => void evict());
  await evict();

  const mayGet = (caller: Caller, path: string) =>
    mayRead(policy, caller, { path, get, time: now(), accessed: new Set() });
  const mayList = (caller: Caller, query: Query) =>
    caller === admin ||
    policy({
      auth: caller,
      operation: 'list',
      query,
      get,
      getAfter: get,
      time: now(),
    });

  /** @throws {FirestoreError} also FAILED_PRECONDITION for a query that needs an undeclared index on hosted Firestore. */
  const checkList = (caller: Caller, query: Query) => {
    if (!mayList(caller, query)) throw permissionDenied();
    deps.requireIndexes?.(query);
  };
  /** Opens a view of the published version until it is released, for 30 seconds at most; it bypasses the policy. */
  const openView = () => {
    const version = visible;
    const endMs = elapsedMs() + maxViewMs;
    const checkAge = () => {
      if (elapsedMs() > endMs) throw new LimitError(maxViewMs);
    };
    const { get: getDocument, ...reading } = reader.openView(version, checkAge);
    const view = {
      ...reading,
      version,
      get: (path: string) => {
        checkAge();
        return getDocument(path);
      },
    };
    return { ...view, changesSince: (asked: Resumption) => log.since(view, asked) };
  };

  return {
    names,
    epoch,
    elapsedMs,
    /**
     * Stores the epoch of a store that has none. One that has documents was restored from a backup: `onRestored` is called
     * before, so a start that ends in between is repeated by the next one.
     */
    async storeEpoch(onRestored: () => Promise<void>) {
      if (known !== undefined) return;
      if (!reader.isEmpty()) await onRestored();
      await store.write([{ type: 'put', key: epochKey, value: epoch }]);
    },
    /** Returns the version of all reads until the next `await`. */
    readVersion: () => visible,
    mayGet,
    mayList,
    checkList,
    get(caller: Caller, path: string): StoredDocument | null {
      if (!mayGet(caller, path)) throw permissionDenied();
      return get(path);
    },
    /** Reads several documents of one request, in order: the policy checks each, with a common count of its accesses. */
    *getAll(
      caller: Caller,
      paths: readonly string[],
      take: Take<StoredDocument | null>,
    ): Steps<void> {
      const view = openView();
      try {
        const reading = { get: view.get, time: now(), accessed: new Set<string>() };
        const isSliceOver = createSliceMeter(elapsedMs);
        for (const path of paths) {
          if (!mayRead(policy, caller, { ...reading, path })) throw permissionDenied();
          const document = view.get(path);
          take(document, view.version);
          while (isSliceOver()) yield undefined;
        }
      } finally {
        view.release();
      }
    },
    /** Passes the documents of a query to `take`, all of one version; returns that version. */
    *read(caller: Caller, query: Query, take: Take<StoredDocument>): Steps<number> {
      checkList(caller, query);
      const view = openView();
      try {
        yield* view.read(query, (each) => take(each, view.version));
        return view.version;
      } finally {
        view.release();
      }
    },
    /** Passes the documents of a query in the published version to `take`, without checking the policy. */
    readPublished: (query: Query, take: (document: StoredDocument) => void): Steps<void> =>
      reader.published.read(query, take),
    openView,
    commit: committer.commit,
    /** Adds a listener. It must not throw, because other listeners and the acknowledgement follow. */
    onCommit: (listener: (commit: Commit) => void, scope: Scope = allChanges) =>
      listeners.add(scope, listener),
    /** Returns a document for the server itself, without checking the policy. */
    peek: get,
    isEmpty: () => reader.isEmpty(),
    /** Waits for running commits. */
    async close() {
      stopEvicting();
      await committer.close();
    },
  };
}

const evictionMs = 3_600_000;
