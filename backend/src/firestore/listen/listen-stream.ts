import type { Client } from '../../limits/client.ts';
import type { Lease } from '../../limits/level.ts';
import { LimitError } from '../../limits/limit-error.ts';
import type { Resources } from '../../limits/resources.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { encodeBloomFilter } from './bloom-filter.ts';
import type { Caller } from '../caller.ts';
import type { Commit } from '../documents/change-log.ts';
import type { Database } from '../documents/database.ts';
import { encodeDocument, type StoredDocument } from '../values/document.ts';
import { FirestoreError, grpcCode, invalidArgument, toFirestoreError } from '../firestore-error.ts';
import { createTarget } from './listen-target.ts';
import type { Existing, LeftDelta, Target, TargetDelta } from './target.ts';
import { decodeResumeToken, encodeResumeToken } from './resume-token.ts';
import type { StreamHandler, StreamSink } from '../streams/stream.ts';
import { microsToText } from '../values/timestamp.ts';

/** Messages that wait for an index; the SDK sends one for each listener. */
const MAX_WAITING = 500;
/** Beyond it a client whose count differs asks for everything. */
const MAX_BLOOM_NAMES = 50_000;

export interface ListenStreamDeps {
  readonly database: Database;
  readonly caller: Caller;
  readonly client: Client;
  readonly resources: Resources;
  readonly sink: StreamSink;
}

/**
 * - A listener that loses its right, by a commit or by other rules, ends with PERMISSION_DENIED.
 * - Exactly one ADD (or a refusal) per addTarget and one REMOVE per removeTarget.
 * - All targets of a stream are consistent at every snapshot it sends.
 * - Targets are counted with their owner's, and so is the work that they make at commits. A stream that makes too much ends;
 *   the client resumes it later.
 * - An error of a target is told to that target alone: an error of the stream never reaches the
 *   application, the SDK only retries.
 */
export function createListenStream(deps: ListenStreamDeps): StreamHandler {
  const { database, caller, client, resources, sink } = deps;
  const targets = new Map<number, Target>();
  /** One for each target, also while its index is being made. */
  const leases = new Map<number, Lease>();
  let highestId = 0;
  let isOpen = true;
  const send = createListenSender(database, caller, sink);

  const remove = (id: number) => {
    leases.get(id)?.release();
    leases.delete(id);
    targets.delete(id);
  };

  const refuse = (id: number, error: unknown) => {
    remove(id);
    const { status, message } = toFirestoreError(error);
    send.targetChange('REMOVE', id, { cause: { code: grpcCode(status), message } });
  };

  const start = (id: number, target: Target, json: JsonObject) => {
    const resume = decodeResume(json, database);
    const version = database.readVersion();
    const { mustReset, deltas, existing } = target.start(resume.from, resume.expectedCount);
    targets.set(id, target);
    send.targetChange('ADD', id);
    if (mustReset || resume.isForeign) send.targetChange('RESET', id);
    const left = deltas.filter((each) => each.kind === 'left');
    const present = deltas.filter((each) => each.kind === 'present');
    // The client judges the filter on what it was sent before: with the new documents, and with those that left.
    send.documents(new Map([[id, present]]), version);
    if (existing !== undefined) send.filter(id, existing, left);
    send.documents(new Map([[id, left]]), version);
    send.current(id, version);
    send.snapshot(version);
  };

  const addTarget = (json: JsonObject): Promise<unknown> | undefined => {
    // Zero is what a missing number reads as.
    const { targetId = 0 } = json;
    if (typeof targetId !== 'number') throw invalidArgument('targetId must be a number.');
    const id = targetId === 0 ? highestId + 1 : targetId;
    highestId = Math.max(highestId, id);
    try {
      if (JSON.stringify(json).length > resources.limits.targetBytes) {
        throw invalidArgument('A query that is listened to must be smaller.');
      }
      remove(id);
      leases.set(id, resources.level('targets').take(client, 1));
      const target = createTarget(json, database, caller);
      const prepared = target.prepare();
      if (prepared !== undefined) {
        return prepared
          .then(() => isOpen && start(id, target, json))
          .then(undefined, (error: unknown) => refuse(id, error));
      }
      start(id, target, json);
    } catch (error) {
      refuse(id, error);
    }
    return undefined;
  };

  const take = (message: JsonObject): Promise<unknown> | undefined => {
    const { addTarget: added, removeTarget: removed } = message;
    const adding = isJsonObject(added) ? addTarget(added) : undefined;
    if (typeof removed === 'number') {
      remove(removed);
      send.targetChange('REMOVE', removed);
    }
    return adding;
  };
  const inTurn = createMessageTurns(take);

  /** Asks each target, as far as the share of its owner goes. @throws {LimitError} */
  const askEach = (event: object, ask: (id: number, target: Target) => void) => {
    for (const [id, target] of targets) {
      try {
        resources.work.runShare(client, event, () => ask(id, target));
      } catch (error) {
        if (error instanceof LimitError) throw error;
        refuse(id, error);
      }
    }
  };

  const onCommit = (commit: Commit) => {
    const deltasById = new Map<number, readonly TargetDelta[]>();
    askEach(commit, (id, target) => {
      const deltas = target.onCommit(commit);
      if (deltas.length > 0) deltasById.set(id, deltas);
    });
    if (deltasById.size === 0) return;
    send.documents(deltasById, commit.version);
    send.snapshot(commit.version);
  };

  const end = () => {
    isOpen = false;
    inTurn.stop();
    for (const stop of stops) stop();
    for (const id of leases.keys()) remove(id);
  };

  const orEnd = (run: () => void) => {
    try {
      run();
    } catch (error) {
      end();
      sink.fail(toFirestoreError(error));
    }
  };

  const stops = [
    database.onPolicyChange(() => orEnd(() => askEach({}, (_id, target) => target.checkRight()))),
    database.onCommit((commit) => orEnd(() => onCommit(commit))),
  ];
  return {
    onMessage(message) {
      if (!isJsonObject(message)) throw invalidArgument('A request must be an object.');
      inTurn.take(message);
    },
    onOversized() {
      sink.fail(invalidArgument('The request exceeds the maximum size.'));
    },
    onClose: end,
  };
}

/** While a message waits for an index, later ones wait for it: a removal comes after its addition. */
function createMessageTurns(take: (message: JsonObject) => Promise<unknown> | undefined) {
  let waiting: JsonObject[] = [];
  let isBusy = false;
  const work = async (taken: Promise<unknown>) => {
    isBusy = true;
    await taken;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      await take(message);
    }
    isBusy = false;
  };
  return {
    take(message: JsonObject) {
      if (isBusy && waiting.length >= MAX_WAITING) {
        throw new FirestoreError('RESOURCE_EXHAUSTED', 'Too many messages wait on one stream.');
      }
      if (isBusy) waiting.push(message);
      else {
        const taken = take(message);
        if (taken !== undefined) void work(taken);
      }
    },
    stop() {
      waiting = [];
    },
  };
}

interface Resume {
  readonly from: number | null;
  readonly expectedCount: number | null;
  /** The client has state of a store that is not this one. */
  readonly isForeign: boolean;
}

function decodeResume(json: JsonObject, database: Database): Resume {
  const { resumeToken, readTime, expectedCount } = json;
  const count = isJsonObject(expectedCount) ? expectedCount['value'] : expectedCount;
  const token = typeof resumeToken === 'string' ? resumeToken : '';
  if (token === '' && readTime === undefined) {
    return { from: null, expectedCount: null, isForeign: false };
  }
  const version = decodeResumeToken(token, database.epoch);
  if (version === undefined || version > database.readVersion()) {
    return { from: null, expectedCount: null, isForeign: true };
  }
  return {
    from: version,
    expectedCount: typeof count === 'number' ? count : null,
    isForeign: false,
  };
}

function createListenSender(database: Database, caller: Caller, sink: StreamSink) {
  const token = (version: number) => ({
    resumeToken: encodeResumeToken(database.epoch, version),
    readTime: microsToText(version),
  });

  /** What a client is told about a document that entered, changed in or left some targets. */
  const documentMessage = (path: string, change: MergedChange, version: number) => {
    const { targetIds, removedTargetIds } = change;
    const document = change.document ?? database.peek(path);
    const ids = removedTargetIds.length > 0 ? { targetIds, removedTargetIds } : { targetIds };
    if (document !== null && (targetIds.length > 0 || database.mayGet(caller, path))) {
      return { documentChange: { document: encodeDocument(document), ...ids } };
    }
    const removal = {
      document: database.names.toName(path),
      readTime: microsToText(version),
      removedTargetIds,
    };
    return document === null ? { documentDelete: removal } : { documentRemove: removal };
  };

  return {
    targetChange(targetChangeType: 'ADD' | 'REMOVE' | 'RESET', id: number, more = {}) {
      sink.send({ targetChange: { targetChangeType, targetIds: [id], ...more } });
    },
    filter(targetId: number, { count, names }: Existing, left: readonly LeftDelta[]) {
      const absent = left.map(({ path }) => database.names.toName(path));
      const kept =
        count > MAX_BLOOM_NAMES ? {} : { unchangedNames: encodeBloomFilter(names(), absent) };
      sink.send({ filter: { targetId, count, ...kept } });
    },
    current(id: number, version: number) {
      const change = { targetChangeType: 'CURRENT', targetIds: [id], ...token(version) };
      sink.send({ targetChange: change });
    },
    /** Without this global change the client shows nothing of what it was sent. A case of the SDK looks into the list. */
    snapshot(version: number) {
      sink.send({ targetChange: { targetIds: [], ...token(version) } });
    },
    documents(deltasById: ReadonlyMap<number, readonly TargetDelta[]>, version: number) {
      for (const [path, change] of mergeDeltas(deltasById)) {
        sink.send(documentMessage(path, change, version));
      }
    },
  };
}

interface MergedChange {
  readonly document: StoredDocument | null;
  readonly targetIds: readonly number[];
  readonly removedTargetIds: readonly number[];
}

/** One message per document, whatever number of targets it concerns. */
function mergeDeltas(
  deltasById: ReadonlyMap<number, readonly TargetDelta[]>,
): ReadonlyMap<string, MergedChange> {
  const merged = new Map<string, MergedChange>();
  for (const [id, deltas] of deltasById) {
    for (const delta of deltas) {
      const path = delta.kind === 'present' ? delta.document.path : delta.path;
      const change = merged.get(path) ?? { document: null, targetIds: [], removedTargetIds: [] };
      merged.set(path, {
        document: delta.kind === 'present' ? delta.document : change.document,
        targetIds: delta.kind === 'present' ? [...change.targetIds, id] : change.targetIds,
        removedTargetIds:
          delta.kind === 'left' ? [...change.removedTargetIds, id] : change.removedTargetIds,
      });
    }
  }
  return merged;
}
