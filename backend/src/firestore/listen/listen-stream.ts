import type { Client } from '../../limits/client.ts';
import type { Lease } from '../../limits/level.ts';
import { LimitError } from '../../limits/limit-error.ts';
import type { Resources } from '../../limits/resources.ts';
import type { Steps } from '../../limits/slices.ts';
import { isDeeperThan, isJsonObject, type JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { StreamHandler } from '../../stream.ts';
import { encodeBloomFilter } from './bloom-filter.ts';
import type { Caller } from '../../caller.ts';
import type { Commit } from '../documents/change-log.ts';
import { sizeOf } from '../documents/commit-scopes.ts';
import type { Database, DatabaseView } from '../documents/database.ts';
import { encodeDocument, type StoredDocument } from '../values/document.ts';
import { grpcCode, invalidArgument } from '../firestore-error.ts';
import { createTarget } from './listen-target.ts';
import { createMessageQueue } from '../streams/message-queue.ts';
import type { Answer, Target } from './target.ts';
import { decodeResumeToken, encodeResumeToken } from './resume-token.ts';
import { toStreamError, type StreamSink } from '../streams/stream.ts';
import { microsToText } from '../values/timestamp.ts';

export interface ListenStreamDeps {
  readonly database: Database;
  readonly caller: Caller;
  readonly client: Client;
  readonly resources: Resources;
  readonly sink: StreamSink;
  readonly log: Log;
}

/**
 * - A listener that loses its right by a commit ends with PERMISSION_DENIED.
 * - It sends exactly one ADD (or a refusal) per addTarget and one REMOVE per removeTarget.
 * - All targets of a stream are consistent at every snapshot it sends.
 * - Targets, the memory for them, and the work that they cause at commits are charged to their owner. A stream ends, and the
 *   client resumes it later, when it is over the limit, when it yields to an owner with fewer targets, and when it gets a
 *   message while its owner is over the rate.
 * - The first answer of a target is sent in slices, all of one version, and waits briefly for a slow reader. Commits in the
 *   meantime are reported afterwards, to all targets at once: no snapshot is sent before the answer is complete. Other
 *   commits are reported in a turn of the owner.
 * - An error of a target is reported for that target alone, because the SDK does not pass an error of the stream to the
 *   application and only retries.
 */
export function createListenStream(deps: ListenStreamDeps): StreamHandler {
  const { database, caller, client, resources, sink, log } = deps;
  const targets = new Map<number, Target>();
  /** The leases and the subscription of each target, by its id. They are released when the target is removed. */
  const leases = new Map<number, readonly Releasable[]>();
  let highestId = 0;
  let isOpen = true;
  /** The target whose first answer is being sent. */
  let starting: { readonly id: number; isCancelled: boolean } | null = null;
  /** The commits that the stream reports once it is no longer busy, and the size of their documents. */
  let missed: Commit[] = [];
  let missedBytes = 0;
  const send = createListenSender(database, caller, sink);

  const remove = (id: number) => {
    for (const each of leases.get(id) ?? []) each.release();
    leases.delete(id);
    targets.delete(id);
  };

  const refuse = (id: number, error: unknown) => {
    remove(id);
    const { status, message } = toStreamError(error, log);
    send.targetChange('REMOVE', id, { cause: { code: grpcCode(status), message } });
  };

  function* start(id: number, target: Target, json: JsonObject): Steps<void> {
    // The other targets get the commits up to the version of the answer first, since its snapshot is one of all targets.
    catchUp();
    if (!isOpen) return;
    const resume = decodeResume(json, database);
    const view = database.openView();
    const current = { id, isCancelled: false };
    starting = current;
    try {
      let isPatient = true;
      const answer = send.answer(id, view, resume.isForeign);
      for (const pause of target.start(view, resume, answer)) {
        yield (
          pause ??
          (isPatient
            ? sink.drained()?.then((isDrained) => void (isPatient = isDrained))
            : undefined)
        );
        if (!isOpen || current.isCancelled) return;
      }
      if (!isOpen) return;
      targets.set(id, target);
      send.current(id, view.version);
    } finally {
      view.release();
      starting = null;
    }
  }

  function* addTarget(json: JsonObject): Steps<void> {
    // In the JSON of the protocol, a missing number stands for zero.
    const { targetId = 0 } = json;
    if (typeof targetId !== 'number') throw invalidArgument('targetId must be a number.');
    const id = targetId === 0 ? highestId + 1 : targetId;
    highestId = Math.max(highestId, id);
    let isStarting = false;
    try {
      if (isDeeperThan(maxNesting, json)) throw invalidArgument('A target is nested too deeply.');
      const { length } = JSON.stringify(json);
      if (length > resources.limits.targetBytes) {
        throw invalidArgument('A query that is listened to must be smaller.');
      }
      remove(id);
      const queryBytes = length * bytesPerCharacter;
      const keep = (bytes: number) => memory.set(queryBytes + bytes);
      const target = createTarget({ json, database, caller, keep });
      const yielding = { onYield: () => fail(new LimitError(retryMs)), isReplaceable: false };
      const held: Releasable[] = [resources.level('targets').take(client, 1, yielding)];
      leases.set(id, held);
      const memory = resources.level('listenBytes').take(client, queryBytes, yielding);
      held.push(memory, { release: database.onCommit(onCommit, target.scope) });
      isStarting = true;
      yield* start(id, target, json);
    } catch (error) {
      // A limit is not an error of the target: it ends the stream, and the client resumes later.
      if (error instanceof LimitError && isStarting) throw error;
      refuse(id, error);
    }
    catchUp();
  }

  function* take(message: JsonObject): Steps<void> {
    const { addTarget: added, removeTarget: removed } = message;
    if (isJsonObject(added)) yield* addTarget(added);
    if (typeof removed !== 'number' || !isOpen) return;
    remove(removed);
    send.targetChange('REMOVE', removed);
  }

  const end = () => {
    isOpen = false;
    missed = [];
    queue.stop();
    for (const id of leases.keys()) remove(id);
  };

  const fail = (error: unknown) => {
    end();
    sink.fail(toStreamError(error, log));
  };

  /** Returns the changes of all targets by document. @throws {LimitError} when the owner's share is used up. */
  const changesOf = (
    commits: readonly Commit[],
    last: Commit,
  ): ReadonlyMap<string, MergedChange> => {
    const merged = new Map<string, MergedChange>();
    for (const [id, target] of targets) {
      try {
        const deltas = resources.work.runShare(client, last, (onSlice) =>
          target.onCommits(commits, onSlice),
        );
        for (const [path, document] of deltas) {
          const change = merged.get(path) ?? noChange();
          merged.set(path, change);
          change.document ??= document;
          (document === null ? change.removedTargetIds : change.targetIds).push(id);
        }
      } catch (error) {
        if (error instanceof LimitError) throw error;
        refuse(id, error);
      }
    }
    return merged;
  };

  /** Reports the commits that were held back, at the version of the last one. */
  const catchUp = () => {
    const commits = missed;
    const last = commits.at(-1);
    missed = [];
    missedBytes = 0;
    if (!isOpen || last === undefined) return;
    try {
      const changes = changesOf(commits, last);
      const reading = { get: database.peek, version: last.version };
      for (const [path, change] of changes) send.change(path, change, reading);
      if (changes.size > 0) send.snapshot(last.version);
    } catch (error) {
      fail(error);
    }
  };

  /** Reports what is held back in a turn of its owner, unless the end of a first answer reports it. */
  const catchUpInTurn = async () => {
    await resources.turns.run(client, () => {
      if (starting === null) catchUp();
    });
  };
  const onCommit = (commit: Commit) => {
    const isFirst = missed.length === 0;
    missed.push(commit);
    missedBytes += sizeOf(commit);
    if (missedBytes > maxMissedBytes) fail(new LimitError(retryMs));
    else if (isFirst && starting === null) catchUpInTurn().catch(fail);
  };

  const queue = createMessageQueue({
    maxWaiting: 10,
    take: (message: JsonObject) =>
      resources.turns.ask(client, () =>
        isOpen ? resources.slices.run(client, take(message)) : undefined,
      ),
    fail,
  });

  return {
    onMessage(message) {
      if (!isJsonObject(message)) throw invalidArgument('A request must be an object.');
      if (starting !== null && message['removeTarget'] === starting.id) starting.isCancelled = true;
      queue.take(message);
    },
    drained: () => queue.drained(),
    onOversized() {
      sink.fail(invalidArgument('The request exceeds the maximum size.'));
    },
    onClose: end,
  };
}

/** More than the filters and values of a query have. */
const maxNesting = 200;
/** The limit for the documents of commits that are held back for a busy stream. */
const maxMissedBytes = 16 * 1024 * 1024;
const retryMs = 1000;
/** Measured: the values of a query take up to 8 bytes of memory for each character of its text, which is kept as well. */
const bytesPerCharacter = 10;

type Releasable = Pick<Lease, 'release'>;

/** `isForeign` tells that the resume token is not from this store, so that the client must reset. */
function decodeResume({ resumeToken, readTime, expectedCount }: JsonObject, database: Database) {
  const count = isJsonObject(expectedCount) ? expectedCount['value'] : expectedCount;
  const token = typeof resumeToken === 'string' ? resumeToken : '';
  const version = decodeResumeToken(token, database.epoch);
  const isKnown = version !== undefined && version <= database.readVersion();
  return {
    from: isKnown ? version : null,
    expectedCount: isKnown && typeof count === 'number' ? count : null,
    isForeign: !isKnown && (token !== '' || readTime !== undefined),
  };
}

type Reading = Pick<DatabaseView, 'get' | 'version'>;

function createListenSender(database: Database, caller: Caller, sink: StreamSink) {
  const token = (version: number) => ({
    resumeToken: encodeResumeToken(database.epoch, version),
    readTime: microsToText(version),
  });

  /** Sends the message about a document that entered, changed in or left some targets. */
  const change = (path: string, merged: MergedChange, { get, version }: Reading) => {
    const { targetIds, removedTargetIds } = merged;
    const document = merged.document ?? get(path);
    const ids = removedTargetIds.length > 0 ? { targetIds, removedTargetIds } : { targetIds };
    if (document !== null && (targetIds.length > 0 || database.mayGet(caller, path))) {
      sink.send({ documentChange: { document: encodeDocument(document), ...ids } });
      return;
    }
    const removal = {
      document: database.names.toName(path),
      readTime: microsToText(version),
      removedTargetIds,
    };
    sink.send(document === null ? { documentDelete: removal } : { documentRemove: removal });
  };

  const targetChange = (
    targetChangeType: 'ADD' | 'REMOVE' | 'RESET' | 'CURRENT',
    id: number,
    more = {},
  ) => sink.send({ targetChange: { targetChangeType, targetIds: [id], ...more } });
  /** Sends the global target change, before which the client shows no document. The SDK needs the empty list. */
  const snapshot = (version: number) =>
    sink.send({ targetChange: { targetIds: [], ...token(version) } });

  return {
    change,
    snapshot,
    targetChange,
    /** @param isForeign whether the client must reset in any case. */
    answer: (id: number, reading: Reading, isForeign: boolean): Answer => ({
      begin(mustReset) {
        targetChange('ADD', id);
        if (mustReset || isForeign) targetChange('RESET', id);
      },
      present(document) {
        change(document.path, { ...noChange(), document, targetIds: [id] }, reading);
      },
      *existing(names) {
        const unchangedNames = yield* encodeBloomFilter(names, database.elapsedMs);
        sink.send({ filter: { targetId: id, count: names.length, unchangedNames } });
      },
      left(path) {
        change(path, { ...noChange(), removedTargetIds: [id] }, reading);
      },
    }),
    /** Sends the end of an answer. */
    current(id: number, version: number) {
      targetChange('CURRENT', id, token(version));
      snapshot(version);
    },
  };
}

/** The change of a document for all targets of a stream. */
interface MergedChange {
  document: StoredDocument | null;
  readonly targetIds: number[];
  readonly removedTargetIds: number[];
}

const noChange = (): MergedChange => ({ document: null, targetIds: [], removedTargetIds: [] });
