import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../../json.ts';
import { commitSliceMs, createSliceMeter, type Steps } from '../../limits/slices.ts';
import {
  StoreError,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { mayRead, type AccessPolicy, type DocumentRequest } from '../access-policy.ts';
import {
  PreconditionError,
  applyWrite,
  createOverlay,
  type Overlay,
  type WriteOutcome,
} from './apply-writes.ts';
import { admin, ownerOf, uidOf, type Caller } from '../../caller.ts';
import type { ChangeLog, Commit } from '../documents/change-log.ts';
import { documentOperation, versionOperation } from '../documents/document-record.ts';
import type { IndexTable } from '../documents/index-table.ts';
import { createUsageGroup, type UsageDeps, type UsageGroup } from '../documents/usage.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument, permissionDenied } from '../firestore-error.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { microsToText } from '../values/timestamp.ts';
import type { TimestampValue } from '../values/value.ts';
import { encodeValue } from '../values/value-codec.ts';
import { server, type Sender } from './sender.ts';
import type { Write } from './write.ts';

export interface CommitResult {
  readonly version: number;
  readonly writes: readonly WriteOutcome[];
}

export interface CommitterDeps extends UsageDeps {
  readonly get: (path: string) => StoredDocument | null;
  /** Returns the length of the text of a stored document; 0 if there is none. */
  readonly charactersOf: (path: string) => number;
  /** Returns the server time, which the rules and server timestamps of a commit have. */
  readonly now: () => TimestampValue;
  /**
   * Returns the version of a new commit. It is higher than all visible ones and than the last one of its group, also when
   * the wall clock steps back. A commit that stores nothing uses up none.
   */
  readonly nextVersion: (last: number | undefined) => number;
  readonly elapsedMs: () => number;
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  readonly policy: AccessPolicy;
  readonly indexes: IndexTable;
  readonly log: ChangeLog;
  /** Called when reads begin to see the commits, all of them at once. */
  readonly publish: (commits: readonly Commit[]) => void;
  readonly onStorageFailure: (error: unknown) => void;
}

interface Waiting {
  readonly caller: Caller;
  readonly writes: readonly Write[];
  readonly sender: Sender;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

const maxGroupCommits = 100;
/** The work of a group, in bytes of text. */
const maxGroupWork = 2 * 1024 * 1024;
/** The work of a write besides its document. */
const writeWork = 1000;
/** The changes that one write evicts on a full disk, in the room that the store spares for removals. */
const maxEvictedWhenShort = 100;

/**
 * - Each commit is atomic. The commits of one sender take effect in the order of the calls; of several senders, whoever has
 *   used least time comes first, and they take turns.
 * - Commits that wait at the same time are checked one after the other and stored by one write. None is visible, acknowledged
 *   or refused before that write is durable.
 * - The work of a group is limited, so that other clients get a turn while it is stored. A single commit may have more, and is
 *   checked in slices: nothing is published meanwhile, since nobody else publishes.
 * - On a full disk, what the change log evicts is a write of its own, so that it keeps no deletion from being stored.
 * - When the write of a group fails, each of its commits is retried alone: one that is too large for the disk is refused
 *   alone, and the next one may succeed.
 */
export function createCommitter(deps: CommitterDeps) {
  /** The commits that wait, by the key of their sender. */
  const lines = new Map<string, Waiting[]>();
  let running: Promise<void> | null = null;
  let isClosing = false;

  const run = async () => {
    let isEvicting = false;
    while (lines.size > 0 || isEvicting) {
      const hasMore = await storeGroup(deps, takeFrom(lines));
      isEvicting = hasMore && !isClosing;
    }
    running = null;
  };

  return {
    commit: (caller: Caller, writes: readonly Write[], sender = server) =>
      new Promise<CommitResult>((resolve, reject) => {
        if (isClosing) throw unavailable(undefined);
        const line = lines.get(sender.key) ?? [];
        lines.set(sender.key, line);
        line.push({ caller, writes, sender, resolve, reject });
        running ??= Promise.resolve().then(run);
      }),
    /** Resolves when the running commits are stored. All other commits are refused. */
    close() {
      isClosing = true;
      for (const { reject } of takeFrom(lines)) reject(unavailable(undefined));
      return running ?? Promise.resolve();
    },
  };
}

/** Takes a group of the commits that wait, and stores it. Resolves to whether there is more to evict from the change log. */
async function storeGroup(deps: CommitterDeps, waiting: Iterable<Waiting>): Promise<boolean> {
  const { store, indexes, log } = deps;
  const usage = createUsageGroup(deps);
  const pending = createOverlay(deps.get);
  // Each commit is checked against the state that the earlier ones of the group leave.
  const checked: { readonly commit: Commit; readonly sender: Sender }[] = [];
  let work = 0;
  const spend = (more: number) => {
    work += more;
  };
  const isSliceOver = createSliceMeter(deps.elapsedMs, commitSliceMs);
  const group: Waiting[] = [];
  const outcomes: (() => void)[] = [];
  for (const each of waiting) {
    group.push(each);
    const { sender } = each;
    const last = checked.at(-1)?.commit;
    const steps = checkCommit(deps, each, { pending, usage, last, spend, isSliceOver });
    try {
      sender.check();
      const checking = runInSlices(steps, sender.measure);
      const { commit, result } = checking instanceof Promise ? await checking : checking;
      // A commit without writes stores nothing.
      if (each.writes.length > 0) checked.push({ commit, sender });
      outcomes.push(() => each.resolve(result));
    } catch (error) {
      outcomes.push(() => each.reject(error));
    }
    if (group.length === maxGroupCommits || work >= maxGroupWork) break;
  }
  const commits = checked.map(({ commit }) => commit);
  const publish = () => deps.publish(commits);
  const operations: StoreOperation[] = [];
  function* addOperations(commit: Commit): Steps<void> {
    for (const each of commit.changes) {
      operations.push(documentOperation(each), ...indexes.operations(each));
      while (isSliceOver()) yield undefined;
    }
    for (const each of log.operations(commit)) {
      operations.push(each);
      while (isSliceOver()) yield undefined;
    }
  }
  const isShort = store.isShort();
  let evictions: ReturnType<ChangeLog['evictions']>;
  try {
    evictions = log.evictions(isShort ? maxEvictedWhenShort : undefined);
    for (const { commit, sender } of checked) {
      const adding = runInSlices(addOperations(commit), sender.measure);
      if (adding instanceof Promise) await adding;
    }
    operations.push(
      ...(isShort ? [] : evictions.operations),
      ...commits.slice(-1).map(({ version }) => versionOperation(version)),
      ...usage.operations(),
    );
    if (operations.length > 0) await store.write(operations, publish);
    else publish();
  } catch (error) {
    deps.onStorageFailure(error);
    if (group.length === 1) group[0]?.reject(unavailable(error));
    else for (const each of group) await storeGroup(deps, [each]);
    return false;
  }
  for (const settle of outcomes) settle();
  try {
    if (isShort && evictions.operations.length > 0) await store.write(evictions.operations);
  } catch (error) {
    deps.onStorageFailure(error);
    return false;
  }
  return evictions.hasMore;
}

function unavailable(error: unknown): FirestoreError {
  const message = error instanceof StoreError ? error.message : 'The store cannot be written.';
  return new FirestoreError('UNAVAILABLE', message);
}

/** Removes and yields commits that wait, in rounds of one of each sender, as long as they are taken. */
function* takeFrom(lines: Map<string, Waiting[]>): Generator<Waiting> {
  let round = [...lines]
    .map(([key, line]) => ({ key, line, usedMs: line[0]?.sender.usedMs() ?? 0 }))
    .toSorted((one, other) => one.usedMs - other.usedMs);
  while (round.length > 0) {
    for (const { key, line } of round) {
      const [each] = line.splice(0, 1);
      if (line.length === 0) lines.delete(key);
      if (each !== undefined) yield each;
    }
    round = round.filter(({ line }) => line.length > 0);
  }
}

/** Runs the steps of one commit, the first one at once. The event loop turns after each. Short commits share one slice. */
function runInSlices<Result>(
  steps: Steps<Result>,
  measure: Sender['measure'],
): Result | Promise<Result> {
  const step = measure(() => steps.next());
  if (step.done === true) return step.value;
  return nextTurn().then(() => runInSlices(steps, measure));
}

interface Checked {
  readonly commit: Commit;
  readonly result: CommitResult;
}

/** The state that the checks of one group's commits share. */
interface GroupState {
  readonly pending: Overlay;
  readonly usage: UsageGroup;
  readonly last: Commit | undefined;
  /** Adds to the work of the group. */
  readonly spend: (work: number) => void;
  readonly isSliceOver: () => boolean;
}

function* checkCommit(
  deps: CommitterDeps,
  { caller, writes }: Waiting,
  { pending, usage, last, spend, isSliceOver }: GroupState,
): Steps<Checked> {
  const overlay = createOverlay(pending.get);
  const version = deps.nextVersion(last?.version);
  const owner = ownerOf(caller);
  let spent = 0;
  let isTooBig = false;
  const spendOwn = (work: number) => {
    spend(work);
    spent += work;
    isTooBig = spent > maxCommitWork && caller !== admin;
    if (isTooBig) throw invalidArgument('Transaction too big. Decrease transaction size.');
  };
  /** The stored documents whose sizes are a part of the work. */
  const counted: string[] = [];
  const time = deps.now();
  const { toName } = deps.names;
  const context = { overlay, version, now: time, owner, toName, spend: spendOwn };
  const outcomes: WriteOutcome[] = [];
  for (const write of writes) {
    while (isSliceOver()) yield undefined;
    spend(writeWork);
    const { path } = write;
    try {
      if (!overlay.has(path)) {
        const characters = deps.charactersOf(path);
        if (characters > 0) counted.push(path);
        spendOwn(characters);
      }
      outcomes.push(applyWrite(write, context));
    } catch (error) {
      // A failed precondition reveals the state of the document, and the sum of the work the sizes of all of them, so only
      // callers that may read them are told.
      if (!isTooBig && !(error instanceof PreconditionError)) throw error;
      for (const each of isTooBig ? counted : [path]) {
        while (isSliceOver()) yield undefined;
        const reading = { path: each, get: pending.get, time, accessed: new Set<string>() };
        if (!mayRead(deps.policy, caller, reading)) throw permissionDenied();
      }
      throw error;
    }
  }
  const accessed = new Set<string>();
  for (const outcome of outcomes) {
    if (caller === admin) break;
    while (isSliceOver()) yield undefined;
    const isAllowed = deps.policy({
      auth: caller,
      operation: operationOf(outcome),
      path: outcome.write.path,
      before: outcome.before,
      after: outcome.after,
      get: pending.get,
      getAfter: overlay.get,
      time,
      accessed,
    });
    if (!isAllowed) throw permissionDenied();
  }
  const changes: DocumentChange[] = [];
  for (const path of overlay.paths()) {
    const before = pending.get(path);
    const after = overlay.get(path);
    if (before?.updateVersion !== after?.updateVersion) changes.push({ path, before, after });
  }
  usage.charge(changes, caller !== admin);
  for (const { path, after } of changes) pending.set(path, after);
  const result = { version, writes: outcomes };
  return { commit: { version, writer: uidOf(caller), changes }, result };
}

export const encodeCommitResult = (result: CommitResult): JsonObject => ({
  writeResults: result.writes.map(encodeWriteResult),
  commitTime: microsToText(result.version),
});

const encodeWriteResult = ({ after, transformResults }: WriteOutcome): JsonObject => ({
  ...(after === null ? {} : { updateTime: microsToText(after.updateVersion) }),
  ...(transformResults.length === 0 ? {} : { transformResults: transformResults.map(encodeValue) }),
});

/**
 * The work of a write grows with the size of its document and of the one that it replaces, and arises before the policy is
 * asked. The limit, in bytes of text, keeps small requests that concern large documents from taking the server minutes and
 * gigabytes. The server itself has no limit: it erases whole journals.
 */
const maxCommitWork = 32 * 1024 * 1024;

function operationOf({ write, before }: WriteOutcome): DocumentRequest['operation'] {
  if (write.kind === 'verify') return 'get';
  if (write.kind === 'delete') return 'delete';
  return before === null ? 'create' : 'update';
}
