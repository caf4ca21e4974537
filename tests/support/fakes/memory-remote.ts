import {
  refKey,
  RemoteError,
  type DocumentRef,
  type Head,
  type RemoteDocument,
  type RemoteDocuments,
  type RemoteWrite,
  type TransactionPlan,
  type TransactionView,
} from '../../../replication/ports.ts';
import type { FieldValue, SyncedCollection } from '../../../schemas/documents/sync-state.ts';

/** A document as the server stores it: the fields that clients wrote, and fields that they do not know. */
export interface ServerDocument extends Omit<RemoteDocument, 'newerSchema'> {
  readonly newerSchema?: boolean;
  readonly unknown?: Readonly<Record<string, FieldValue>>;
}

type RefusalRule = (write: RemoteWrite) => string | null;

export interface ServerState {
  readonly documents: ReadonlyMap<string, ServerDocument>;
  readonly heads: ReadonlyMap<string, Head>;
}

/**
 * A server in memory with optimistic transactions: a commit checks the reads again, and the transaction is retried if
 * anything that it read has changed.
 */
export interface MemoryServer {
  /**
   * Returns a client that is signed in as `uid`.
   * @param pause is called between reading and committing, and before each answer; other clients may act meanwhile.
   */
  connect(uid: string, pause?: () => Promise<void>): RemoteDocuments;
  /** Returns a copy of the whole state. */
  snapshot(): ServerState;
  restore(state: ServerState): void;
  /** Stores a document without checking the rules. */
  put(document: ServerDocument): void;
  setHead(uid: string, head: Head | null): void;
  /** Sets the rule that refuses writes permanently; null accepts a write. */
  refuse(rule: RefusalRule): void;
}

export interface MemoryServerOptions {
  readonly now: () => number;
}

interface Client {
  readonly uid: string;
  readonly rest: () => Promise<void>;
}

const maxAttempts = 50;

function toRemote({ unknown: _unknown, ...document }: ServerDocument): RemoteDocument {
  return { ...document, newerSchema: document.newerSchema ?? false };
}

function bySeq(one: RemoteDocument, other: RemoteDocument): number {
  return one.seq - other.seq;
}

function pathOf({ id, petId }: Pick<DocumentRef, 'id' | 'petId'>): string {
  return `${petId ?? ''}/${id}`;
}

function byPath(one: RemoteDocument, other: RemoteDocument): number {
  return pathOf(one) < pathOf(other) ? -1 : 1;
}

function isEmpty(plan: TransactionPlan<unknown>, head: Head | null): boolean {
  const isSame = plan.head?.head === head?.head && plan.head?.epoch === head?.epoch;
  return plan.writes.length === 0 && (plan.head === null || isSame);
}

export function createMemoryServer({ now }: MemoryServerOptions): MemoryServer {
  let documents = new Map<string, ServerDocument>();
  let heads = new Map<string, Head>();
  let refusal: RefusalRule | null = null;

  const owned = (uid: string, key: string): ServerDocument | null => {
    const document = documents.get(key);
    if (document && document.ownerId !== uid)
      throw new RemoteError('permanent', 'permission-denied');
    return document ?? null;
  };

  /**
   * Checks a write as the security rules do, against the state after the whole commit. @throws RemoteError if it is
   * refused.
   */
  const check = (uid: string, write: RemoteWrite, after: ReadonlyMap<string, unknown>): void => {
    const refused = refusal?.(write) ?? null;
    if (refused !== null) throw new RemoteError('permanent', refused);
    owned(uid, refKey(write));
    if (write.ownerId !== uid) throw new RemoteError('permanent', 'permission-denied');
    if (write.petId === null) return;
    const petKey = refKey({ collection: 'pets', id: write.petId });
    owned(uid, petKey);
    if (!after.has(petKey)) throw new RemoteError('permanent', 'permission-denied');
  };

  const merged = (write: RemoteWrite): ServerDocument => {
    const { collection, id, petId, ownerId, fields, edits, deleted, seq } = write;
    const unknown = deleted ? undefined : documents.get(refKey(write))?.unknown;
    const identity = { collection, id, petId, ownerId };
    const content = { fields: { ...fields }, edits: { ...edits }, deleted, seq };
    return { ...identity, ...content, updatedAtMs: now(), ...(unknown ? { unknown } : {}) };
  };

  const read = (uid: string, refs: readonly DocumentRef[]) => {
    const stored = refs.map((ref) => [refKey(ref), owned(uid, refKey(ref))] as const);
    return { head: heads.get(uid) ?? null, stored };
  };

  const commit = (uid: string, plan: TransactionPlan<unknown>): void => {
    const changes = plan.writes.map((write) => [refKey(write), merged(write)] as const);
    const after = new Map([...documents, ...changes]);
    for (const write of plan.writes) check(uid, write, after);
    documents = after;
    if (plan.head !== null) heads.set(uid, plan.head);
  };

  const isCurrent = (uid: string, seen: ReturnType<typeof read>): boolean =>
    seen.head === (heads.get(uid) ?? null) &&
    seen.stored.every(([key, document]) => (documents.get(key) ?? null) === document);

  const toView = (seen: ReturnType<typeof read>): TransactionView => ({
    head: seen.head,
    documents: new Map(seen.stored.map(([key, document]) => [key, document && toRemote(document)])),
  });

  const transact = async <Result>(
    { uid, rest }: Client,
    refs: readonly DocumentRef[],
    decide: (view: TransactionView) => TransactionPlan<Result>,
  ): Promise<Result> => {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const seen = read(uid, refs);
      await rest();
      const plan = decide(toView(seen));
      if (isCurrent(uid, seen)) {
        if (!isEmpty(plan, seen.head)) commit(uid, plan);
        await rest();
        return plan.result;
      }
    }
    throw new RemoteError('transient', 'aborted');
  };

  const ownDocuments = (uid: string, collection: SyncedCollection): RemoteDocument[] =>
    [...documents.values()]
      .filter((document) => document.collection === collection && document.ownerId === uid)
      .map(toRemote);

  const connectClient = ({ uid, rest }: Client): RemoteDocuments => ({
    readHead: async () => {
      const head = heads.get(uid) ?? null;
      await rest();
      return head;
    },
    pull: async (collection, afterSeq, limit) => {
      const found = ownDocuments(uid, collection).filter(({ seq }) => seq > afterSeq);
      await rest();
      return found.toSorted(bySeq).slice(0, limit);
    },
    hasUnsequenced: async (collection) => {
      const isThere = ownDocuments(uid, collection).some(({ seq }) => seq === 0);
      await rest();
      return isThere;
    },
    sumOfSeqs: async (collection) => {
      const sum = ownDocuments(uid, collection).reduce((total, { seq }) => total + seq, 0);
      await rest();
      return sum;
    },
    scan: async (collection, after, limit) => {
      const found = ownDocuments(uid, collection).filter(
        (document) => after === null || pathOf(document) > pathOf(after),
      );
      await rest();
      return found.toSorted(byPath).slice(0, limit);
    },
    transact: (refs, decide) => transact({ uid, rest }, refs, decide),
    abandon: () => undefined,
  });

  return {
    connect: (uid, pause = () => Promise.resolve()) => connectClient({ uid, rest: pause }),
    snapshot: () => ({ documents: new Map(documents), heads: new Map(heads) }),
    restore: (state) => {
      documents = new Map(state.documents);
      heads = new Map(state.heads);
    },
    put: (document) => {
      documents = new Map([...documents, [refKey(document), document]]);
    },
    setHead: (uid, head) => {
      if (head === null) heads.delete(uid);
      else heads.set(uid, head);
    },
    refuse: (rule) => {
      refusal = rule;
    },
  };
}
