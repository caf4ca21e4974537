import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { JsonObject } from '../../json.ts';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createReadAnswers, type ReadAnswers } from '../rest/read-answers.ts';

/**
 * What makes a batch of a write stream take effect once, although the protocol has no id for it.
 *
 * - A batch is recorded with its answer in the same atomic write as its effect, until the client has
 *   acknowledged the answer.
 * - A client whose session was lost asks for it once more and thereby says which answers it has. The
 *   batches whose answers it lacks are the first it sends on its next stream: they are answered from
 *   here.
 * - Of a client that came back without saying so, only a batch that cannot be meant twice (it creates
 *   a document, or names a version) is answered from here; any other is taken as a new one.
 * - Such a batch is answered from here also for a minute after its answer was read, if it was refused
 *   as repeated on another session: the client may have read the answer and not handled it. It stays in
 *   the store so long, where a server that has been restarted takes it for one that was not read.
 * - So is one that the earlier session is still at: it is refused as repeated once that one has taken effect. What
 *   waits on the earlier session is then not run any more; the client sends it again on this one.
 * - Sessions are known by a digest: their ids are secrets.
 */
export interface WriteLedger {
  open(sessionId: string, uid: string): SessionLedger;
  /** What a client of a session that is gone has read of it. */
  settle(sessionId: string, acknowledgedId: number): void;
  /** Waits for what is being stored. */
  close(): Promise<void>;
}

export interface SessionLedger {
  /**
   * The answer to a batch that took effect on an earlier session, now the message of this id on this
   * one; undefined for a new batch. Asked in the order of the batches.
   */
  answered(batch: Batch, messageId: number): Promise<JsonObject | undefined>;
  /**
   * The answer to a batch that was refused because it took effect before: on another session that was still at it when
   * `answered` was asked, or one whose client has read the answer lately.
   */
  answeredMeanwhile(batch: Batch, messageId: number): Promise<JsonObject | undefined>;
  /** Whether the client goes on with its batches on another session: those that wait here are not to be run. */
  isLeft(): boolean;
  /** To be stored with the effect of a batch whose answer will be the message of this id. */
  record(batch: Batch, answer: JsonObject, messageId: number): readonly StoreOperation[];
  /** The last recorded answer becomes the message of another id; resolves when that is stored. */
  renumber(messageId: number): Promise<void>;
  acknowledged(messageId: number): void;
  /** Work that a client which comes back at once on another session has to wait for. */
  running(work: Promise<void>): void;
  /** The session is gone, and nothing after the message of this id has left the process. */
  close(writtenId: number): void;
}

export interface Batch {
  readonly hash: string;
  /** A second, equal batch would be refused, so an equal one is the same one. */
  readonly isOnce: boolean;
}

const PREFIX = 'fs/w/';
const KEPT_MS = 30 * 24 * 3_600_000;
const MAX_GARBAGE = 64;
const MAX_SESSIONS = 5000;

const Stored = v.object({
  uid: v.string(),
  hash: v.string(),
  isOnce: v.boolean(),
  answer: v.record(v.string(), v.unknown()),
  messageId: v.number(),
  isMissed: v.boolean(),
  atMs: v.number(),
});

type Entry = v.InferOutput<typeof Stored> & { readonly key: string };

interface Session {
  readonly uid: string;
  isOpen: boolean;
  /** Its client goes on in another session. */
  isLeft: boolean;
  running: Promise<void>;
  entries: Entry[];
}

const newSession = (uid: string, isOpen: boolean): Session => ({
  uid,
  isOpen,
  isLeft: false,
  running: Promise.resolve(),
  entries: [],
});

export interface WriteLedgerDeps {
  readonly store: KeyValueStore;
  readonly nowMs: () => number;
  readonly onStorageFailure: (error: unknown) => void;
}

export async function openWriteLedger(deps: WriteLedgerDeps): Promise<WriteLedger> {
  const sessions = await loadSessions(deps);
  const read = createReadAnswers(deps.nowMs);
  let storing: Promise<void> = Promise.resolve();

  /** Not waited for by the disk: it survives the process, and a power loss only costs exactness. */
  const store = (operations: readonly StoreOperation[]): Promise<void> => {
    if (operations.length === 0) return storing;
    storing = storing.then(() => deps.store.write(operations)).catch(deps.onStorageFailure);
    return storing;
  };

  return {
    open(sessionId, uid) {
      const id = digest(sessionId);
      const session = newSession(uid, true);
      void store(dropOldest(sessions));
      sessions.set(id, session);
      return openSession({ ...deps, id, session, sessions, read, store });
    },
    settle(sessionId, acknowledgedId) {
      const id = digest(sessionId);
      const session = sessions.get(id);
      if (session === undefined) return;
      const heard = session.entries.filter((each) => each.messageId <= acknowledgedId);
      const over = heard.flatMap((each) => read.add(each, session));
      const missed = session.entries
        .filter((each) => each.messageId > acknowledgedId)
        .map((each) => ({ ...each, isMissed: true }));
      session.entries = missed;
      if (missed.length === 0) sessions.delete(id);
      void store([...over.map(removal), ...missed.map(putting)]);
    },
    close: () => storing,
  };
}

interface SessionDeps {
  readonly nowMs: () => number;
  readonly id: string;
  readonly session: Session;
  readonly sessions: Map<string, Session>;
  readonly read: ReadAnswers;
  readonly store: (operations: readonly StoreOperation[]) => Promise<void>;
}

function openSession({ nowMs, id, session, sessions, read, store }: SessionDeps): SessionLedger {
  let next = 0;
  /** Removals that wait for the next write. */
  let garbage: StoreOperation[] = [];
  const repetition = createRepetition(session, sessions);

  const record: SessionLedger['record'] = (batch, answer, messageId) => {
    const entry: Entry = {
      ...batch,
      key: `${PREFIX}${id}/${String(next++).padStart(9, '0')}`,
      uid: session.uid,
      answer,
      messageId,
      isMissed: !session.isOpen,
      atMs: nowMs(),
    };
    session.entries.push(entry);
    sessions.set(id, session);
    const operations = [...garbage, putting(entry)];
    garbage = [];
    return operations;
  };

  const repeat = async ({ answer, done }: Repeated, batch: Batch, messageId: number) => {
    garbage.push(...done.map(removal));
    if (answer !== undefined) await store(record(batch, answer, messageId));
    return answer;
  };

  return {
    record,
    isLeft: () => session.isLeft,
    answered: async (batch, messageId) => repeat(await repetition.next(batch), batch, messageId),
    answeredMeanwhile(batch, messageId) {
      const { answer = read.find(session.uid, batch.hash, session), done } =
        repetition.again(batch);
      return repeat({ answer, done }, batch, messageId);
    },
    renumber(messageId) {
      const entry = session.entries.at(-1);
      if (entry === undefined) return Promise.resolve();
      entry.messageId = messageId;
      return store([putting(entry)]);
    },
    acknowledged(messageId) {
      const count = session.entries.findLastIndex((each) => each.messageId <= messageId) + 1;
      const acknowledged = session.entries.slice(0, count);
      const over = acknowledged.flatMap((each) => read.add(each, session));
      garbage.push(...over.map(removal));
      session.entries = session.entries.slice(count);
      if (garbage.length < MAX_GARBAGE) return;
      void store(garbage);
      garbage = [];
    },
    running(work) {
      session.running = work;
    },
    close(writtenId) {
      session.isOpen = false;
      const lost = session.entries.filter((each) => each.messageId > writtenId);
      for (const each of lost) each.isMissed = true;
      void store([...garbage, ...lost.map(putting)]);
      garbage = [];
      const forget = () => session.entries.length === 0 && sessions.delete(id);
      void session.running.then(forget);
    },
  };
}

interface Repeated {
  readonly answer: JsonObject | undefined;
  /** Entries of the earlier session that are needed no more. */
  readonly done: readonly Entry[];
}

/** Finds the earlier session a client goes on with, and follows it as long as the batches are the same. */
function createRepetition(own: Session, sessions: Map<string, Session>) {
  let isFirst = true;
  let followed: Session | null = null;

  const others = (): readonly Session[] =>
    [...sessions.values()].filter((each) => each !== own && each.uid === own.uid);

  const settledOthers = async (): Promise<readonly Session[]> => {
    const found = others();
    await Promise.all(found.filter((each) => !each.isOpen).map((each) => each.running));
    return found;
  };

  /** Takes the entries up to and including the one with the answer. */
  const take = (from: Session, at: number): Repeated => {
    const done = from.entries.slice(0, at + 1);
    from.entries = from.entries.slice(at + 1);
    const answer = done.at(-1)?.answer;
    followed = from;
    from.isLeft = true;
    return { answer, done };
  };

  const follow = (from: Session, batch: Batch): Repeated => {
    const at = nextMissed(from);
    if (from.entries[at]?.hash === batch.hash) return take(from, at);
    // Batches come again in their order: what is left after a new one will not come again.
    const done = from.entries;
    from.entries = [];
    followed = null;
    return { answer: undefined, done };
  };

  /** A batch that can only be meant once is the same one, wherever it stands. */
  const takeSame = ({ hash, isOnce }: Batch, candidates: readonly Session[]): Repeated => {
    const indexIn = ({ entries }: Session) =>
      isOnce ? entries.findIndex((each) => each.hash === hash) : -1;
    const same = candidates.find((each) => indexIn(each) !== -1);
    if (same === undefined) return { answer: undefined, done: [] };
    const repeated = take(same, indexIn(same));
    // A client sends everything again from the first batch it has no answer to.
    same.entries = same.entries.map((each) => ({ ...each, isMissed: true }));
    return repeated;
  };

  const startOver = async (batch: Batch): Promise<Repeated> => {
    const candidates = await settledOthers();
    const isNext = (each: Session) => each.entries[nextMissed(each)]?.hash === batch.hash;
    const missed = isFirst ? candidates.find(isNext) : undefined;
    isFirst = false;
    return missed === undefined ? takeSame(batch, candidates) : take(missed, nextMissed(missed));
  };

  return {
    async next(batch: Batch): Promise<Repeated> {
      if (followed === null) return startOver(batch);
      const { answer, done } = follow(followed, batch);
      if (answer !== undefined) return { answer, done };
      const again = await startOver(batch);
      return { ...again, done: [...done, ...again.done] };
    },
    again: (batch: Batch): Repeated => takeSame(batch, others()),
  };
}

const nextMissed = ({ entries }: Session): number => entries.findIndex((each) => each.isMissed);

function dropOldest(sessions: Map<string, Session>): readonly StoreOperation[] {
  if (sessions.size < MAX_SESSIONS) return [];
  for (const [id, { isOpen, entries }] of sessions) {
    if (isOpen) continue;
    sessions.delete(id);
    return entries.map(removal);
  }
  return [];
}

async function loadSessions({ store, nowMs }: WriteLedgerDeps): Promise<Map<string, Session>> {
  const sessions = new Map<string, Session>();
  const outdated: StoreOperation[] = [];
  for (const [rest, value] of entriesUnder(store, PREFIX)) {
    const key = PREFIX + rest;
    const stored = v.parse(Stored, JSON.parse(value));
    const [id = ''] = key.slice(PREFIX.length).split('/');
    if (nowMs() - stored.atMs > KEPT_MS) outdated.push({ type: 'del', key });
    else {
      const session = sessions.get(id) ?? newSession(stored.uid, false);
      session.entries.push({ ...stored, key });
      sessions.set(id, session);
    }
  }
  if (outdated.length > 0) await store.write(outdated);
  return sessions;
}

const digest = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('base64url').slice(0, 22);

export const hashBatch = (writes: unknown): string =>
  createHash('sha256').update(JSON.stringify(writes)).digest('base64url');

const removal = ({ key }: Pick<Entry, 'key'>): StoreOperation => ({ type: 'del', key });

function putting({ key, ...stored }: Entry): StoreOperation {
  return { type: 'put', key, value: JSON.stringify(stored) };
}
