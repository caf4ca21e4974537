import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import type { AccessPolicy, Batch, DocumentRequest } from '../access-policy.ts';
import {
  PreconditionError,
  applyWrite,
  createOverlay,
  type Overlay,
  type WriteOutcome,
} from './apply-writes.ts';
import type { Commit } from '../documents/change-log.ts';
import { ADMIN, uidOf, type Caller } from '../caller.ts';
import { commitOperations } from '../documents/document-storage.ts';
import type { DocumentTable } from '../documents/document-table.ts';
import type { DocumentChange } from '../values/document.ts';
import { FirestoreError, invalidArgument, permissionDenied } from '../firestore-error.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { requestTime } from '../values/timestamp.ts';
import type { TimestampValue, Value } from '../values/value.ts';
import type { VersionClock } from './version-clock.ts';
import type { Write } from './write.ts';

/**
 * - Commits take effect in the order they were asked for, each whole or not at all.
 * - All commits waiting at the same time are judged in turn and stored by one synchronous write. None
 *   is visible, acknowledged or refused before that write is on the disk.
 * - After a failed write nothing is committed any more: what the disk holds is then unknown.
 */
export interface CommitResult {
  readonly version: number;
  /** One per write, in order. */
  readonly writes: readonly WriteResult[];
}

export interface WriteResult {
  /** Null for a deleted or a missing document. */
  readonly updateVersion: number | null;
  readonly transformResults: readonly Value[];
}

export interface Committer {
  commit(caller: Caller, writes: readonly Write[]): Promise<CommitResult>;
  drain(): Promise<void>;
}

export interface CommitterDeps {
  readonly table: DocumentTable;
  readonly versions: VersionClock;
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  readonly policy: AccessPolicy;
  /** Entries of earlier commits that are stored with the next ones. */
  readonly storedWithNext: () => readonly StoreOperation[];
  readonly publish: (commit: Commit) => void;
  readonly onStorageFailure: (error: unknown) => void;
}

interface Waiting {
  readonly caller: Caller;
  readonly writes: readonly Write[];
  readonly settle: (judged: Judged) => void;
}

type Judged =
  | { readonly ok: true; readonly commit: Commit; readonly result: CommitResult }
  | { readonly ok: false; readonly error: unknown };

const MAX_GROUP = 100;

export function createCommitter(deps: CommitterDeps): Committer {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let isBroken = false;

  const run = async () => {
    while (waiting.length > 0 && !isBroken) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      isBroken = !(await storeGroup(deps, group));
    }
    if (isBroken) for (const each of waiting.splice(0)) each.settle(unavailable());
    running = null;
  };

  return {
    commit: (caller, writes) =>
      new Promise((resolve, reject) => {
        const settle = (judged: Judged) => {
          if (judged.ok) resolve(judged.result);
          else reject(judged.error);
        };
        waiting.push({ caller, writes, settle });
        running ??= Promise.resolve().then(run);
      }),
    drain: () => running ?? Promise.resolve(),
  };
}

const unavailable = (): Judged => ({
  ok: false,
  error: new FirestoreError('UNAVAILABLE', 'The store cannot be written.'),
});

/** Answers whether the group could be stored. */
async function storeGroup(deps: CommitterDeps, group: readonly Waiting[]): Promise<boolean> {
  const judged = judgeGroup(deps, group);
  const commits = judged.flatMap((each) => (each.ok ? each.commit : []));
  const operations = commits.flatMap(changeOperations);
  try {
    if (operations.length > 0) await deps.store.write([...operations, ...deps.storedWithNext()]);
  } catch (error) {
    deps.onStorageFailure(error);
    for (const each of group) each.settle(unavailable());
    return false;
  }
  for (const commit of commits) deps.publish(commit);
  for (const [at, each] of group.entries()) each.settle(judged[at] ?? unavailable());
  return true;
}

const changeOperations = (commit: Commit): readonly StoreOperation[] =>
  commit.changes.length === 0 ? [] : commitOperations(commit);

/** Later commits of the group are judged on what the earlier ones will have changed. */
function judgeGroup(deps: CommitterDeps, group: readonly Waiting[]): readonly Judged[] {
  const pending = createOverlay(deps.table.get);
  return group.map((each): Judged => {
    try {
      return judge(deps, each, pending);
    } catch (error) {
      return { ok: false, error };
    }
  });
}

function judge(deps: CommitterDeps, { caller, writes }: Waiting, pending: Overlay): Judged {
  const overlay = createOverlay(pending.get);
  const version = deps.versions.peekCommit();
  const context = { overlay, version, toName: deps.names.toName, spend: createSpend() };
  const outcomes = writes.map((write) => {
    try {
      return applyWrite(write, context);
    } catch (error) {
      throw concealed(deps, { caller, pending, version, error });
    }
  });
  const batch: Batch = { size: writes.length, accessed: new Set() };
  const judging: Judging = { caller, pending, overlay, time: requestTime(version), batch };
  for (const outcome of outcomes) authorize(deps.policy, outcome, judging);
  deps.versions.nextCommit(version);
  const changes: DocumentChange[] = [];
  for (const path of overlay.paths()) {
    const before = pending.get(path);
    const after = overlay.get(path);
    if (before !== after) changes.push({ path, before, after });
  }
  for (const { path, after } of changes) pending.set(path, after);
  const result = { version, writes: outcomes.map(toResult) };
  return { ok: true, commit: { version, writer: uidOf(caller), changes }, result };
}

/**
 * A write costs as much as its document is large, before it is known who may do it. So what one commit writes has an
 * end, or the many small writes of one request to a large document would stop the server for minutes.
 */
const MAX_COMMIT_BYTES = 64 * 1024 * 1024;

function createSpend(): (bytes: number) => void {
  let spent = 0;
  return (bytes) => {
    spent += bytes;
    if (spent > MAX_COMMIT_BYTES) {
      throw invalidArgument('Transaction too big. Decrease transaction size.');
    }
  };
}

const toResult = ({ write, after, transformResults }: WriteOutcome): WriteResult => ({
  updateVersion: write.kind === 'delete' ? null : (after?.updateVersion ?? null),
  transformResults,
});

interface Judging {
  readonly caller: Caller;
  readonly pending: Overlay;
  readonly overlay: Overlay;
  readonly time: TimestampValue;
  readonly batch: Batch;
}

function authorize(policy: AccessPolicy, outcome: WriteOutcome, judging: Judging): void {
  const { caller, pending, overlay, time, batch } = judging;
  if (caller === ADMIN) return;
  const { write, before, after } = outcome;
  const isAllowed = policy({
    auth: caller,
    operation: operationOf(outcome),
    path: write.path,
    before,
    after,
    get: pending.get,
    getAfter: overlay.get,
    time,
    batch,
  });
  if (!isAllowed) throw permissionDenied();
}

function operationOf({ write, before }: WriteOutcome): DocumentRequest['operation'] {
  if (write.kind === 'verify') return 'get';
  if (write.kind === 'delete') return 'delete';
  return before === null ? 'create' : 'update';
}

interface Refusing {
  readonly caller: Caller;
  readonly pending: Overlay;
  readonly version: number;
  readonly error: unknown;
}

/** What it fails on tells about the document, so it is told only to those who may read it. */
function concealed(
  { policy }: CommitterDeps,
  { caller, pending, version, error }: Refusing,
): unknown {
  if (caller === ADMIN || !(error instanceof PreconditionError)) return error;
  const { get } = pending;
  const before = get(error.path);
  const request = {
    before,
    after: before,
    get,
    getAfter: get,
    time: requestTime(version),
    batch: { size: 1, accessed: new Set<string>() },
  };
  return policy({ auth: caller, operation: 'get', path: error.path, ...request })
    ? error
    : permissionDenied();
}
