import {
  collection,
  collectionGroup,
  count,
  doc,
  documentId,
  getAggregate,
  getDoc,
  getDocs,
  getFirestore,
  initializeFirestore,
  limit,
  orderBy,
  query,
  runTransaction,
  setLogLevel,
  startAfter,
  sum,
  where,
  type DocumentReference,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  type Transaction,
} from 'firebase/firestore/lite';
import * as v from 'valibot';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import {
  refKey,
  RemoteError,
  type Clock,
  type DocumentRef,
  type Head,
  type RemoteDocument,
  type RemoteDocuments,
  type TransactionView,
} from '../ports.ts';
import { firebaseApp, firestoreSettings } from './config.ts';
import type { FirebaseConfig } from './firebase-config.ts';
import { withDeadline } from './deadline.ts';
import { toFirestoreWrite, toRemoteDocument } from './document-mapping.ts';
import { patientFetch, type PatientFetch } from './patient-fetch.ts';
import { toRemoteError } from './remote-errors.ts';

export interface FirestoreDocumentsOptions {
  readonly firestore: Firestore;
  readonly uid: string;
  readonly clock: Clock;
  /** See `createProbe`. */
  readonly probe: () => Promise<boolean>;
  /** Whether requests carry this owner's token. Without one the server would refuse them as unauthenticated. */
  readonly isSignedIn: () => boolean;
  /** The fetch that the SDK's requests go through. */
  readonly requests?: Pick<PatientFetch, 'abandon'>;
}

const maxTransactionAttempts = 5;
/** Requests time out when the server is silent; this limit ends one whose data trickles in without end. */
const wholeLimitMs = 600_000;
/** The limit is short, since the request itself has already timed out or failed. */
const probeTimeoutMs = 5_000;

const headSchema = v.object({
  head: v.pipe(v.number(), v.integer(), v.minValue(0)),
  epoch: v.pipe(v.string(), v.minLength(1)),
});

let opened: Firestore | null = null;

/** Opens Firestore. The SDK allows one instance per page or worker, also when the owner changes. */
export function openFirestore(config: FirebaseConfig): Firestore {
  if (opened !== null) return opened;
  // The SDK prints each failed request; the engine reports failures itself, once.
  setLogLevel('silent');
  const settings = firestoreSettings(config);
  const app = firebaseApp(config);
  opened = settings.host === undefined ? getFirestore(app) : initializeFirestore(app, settings);
  return opened;
}

function parseHead(data: unknown): Head {
  const parsed = v.safeParse(headSchema, data);
  if (!parsed.success) throw new RemoteError('transient', 'malformed-head');
  return parsed.output;
}

function refOf(collectionName: SyncedCollection, snapshot: QueryDocumentSnapshot): DocumentRef {
  const petId = collectionName === 'pets' ? null : (snapshot.ref.parent.parent?.id ?? '');
  return { collection: collectionName, id: snapshot.id, petId };
}

async function fetchDocuments(name: SyncedCollection, from: Query): Promise<RemoteDocument[]> {
  const { docs } = await getDocs(from);
  return docs.map((snapshot) => toRemoteDocument(refOf(name, snapshot), snapshot.data()));
}

async function countOf(from: Query): Promise<number> {
  return (await getAggregate(from, { count: count() })).data().count;
}

export type FirestoreDocuments = ReturnType<typeof createFirestoreDocuments>;

/**
 * Accesses the owner's documents in Firestore by its lite SDK: requests and answers, no cache, no stream, the same code
 * in page and worker.
 *
 * - Every read asks the server, and has no time limit for as long as data keeps arriving.
 * - A transaction is optimistic: it commits only if nothing that it read has changed since, and is retried otherwise.
 * - An answer from anything other than Firestore (a captive portal, a proxy) is a transient failure.
 */
export function createFirestoreDocuments(options: FirestoreDocumentsOptions) {
  const { firestore, uid, clock, probe, isSignedIn, requests = patientFetch(clock) } = options;
  const headDoc = doc(firestore, 'sync', uid);

  const docOf = (ref: DocumentRef): DocumentReference =>
    ref.petId === null
      ? doc(firestore, 'pets', ref.id)
      : doc(firestore, 'pets', ref.petId, 'journalEntries', ref.id);

  const ownDocuments = (name: SyncedCollection): Query =>
    name === 'pets'
      ? query(collection(firestore, 'pets'), where('ownerId', '==', uid))
      : query(collectionGroup(firestore, 'journalEntries'), where('createdBy', '==', uid));

  const readHead = async (): Promise<Head | null> => {
    const snapshot = await getDoc(headDoc);
    return snapshot.exists() ? parseHead(snapshot.data()) : null;
  };

  const hasUnsequenced = async (name: SyncedCollection): Promise<boolean> => {
    const all = ownDocuments(name);
    const sequenced = await countOf(query(all, where('seq', '>', 0)));
    return sequenced < (await countOf(all));
  };

  const sumOfSeqs = async (name: SyncedCollection): Promise<number> =>
    (await getAggregate(ownDocuments(name), { seqs: sum('seq') })).data().seqs;

  const scan: RemoteDocuments['scan'] = (name, after, max) => {
    const ordered = query(ownDocuments(name), orderBy(documentId()));
    // A collection group query is ordered by whole paths.
    const path = after && docOf({ collection: name, ...after });
    const rest = path ? query(ordered, startAfter(name === 'pets' ? path.id : path.path)) : ordered;
    return fetchDocuments(name, query(rest, limit(max)));
  };

  const view = async (tx: Transaction, refs: readonly DocumentRef[]): Promise<TransactionView> => {
    const [head, ...snapshots] = await Promise.all([
      tx.get(headDoc),
      ...refs.map((ref) => tx.get(docOf(ref))),
    ]);
    const documents = refs.map((ref, index): [string, RemoteDocument | null] => {
      const snapshot = snapshots[index];
      const data = snapshot?.exists() ? snapshot.data() : undefined;
      return [refKey(ref), data === undefined ? null : toRemoteDocument(ref, data)];
    });
    return {
      head: head.exists() ? parseHead(head.data()) : null,
      documents: new Map(documents),
    };
  };

  const attempt: RemoteDocuments['transact'] = async (refs, decide) => {
    let seenHead: Head | null = null;
    const run = async (tx: Transaction) => {
      const seen = await view(tx, refs);
      seenHead = seen.head;
      const plan = decide(seen);
      for (const change of plan.writes) {
        const { data, mask } = toFirestoreWrite(change);
        if (mask === null) tx.set(docOf(change), data);
        else tx.set(docOf(change), data, { mergeFields: mask });
      }
      const { head } = plan;
      const isSame = head?.head === seen.head?.head && head?.epoch === seen.head?.epoch;
      if (head !== null && !isSame) tx.set(headDoc, { head: head.head, epoch: head.epoch });
      return plan.result;
    };
    try {
      return await runTransaction(firestore, run, { maxAttempts: 1 });
    } catch (error) {
      throw await toTransactionError(toRemoteError(error), seenHead);
    }
  };

  /**
   * A lost race moves the head, since every commit does; a refused argument or permission leaves it. A server that
   * evaluates its rules before it compares answers `permission-denied` for a seq that another commit has taken.
   */
  const toTransactionError = async (
    error: RemoteError,
    seen: Head | null,
  ): Promise<RemoteError> => {
    if (error.code !== 'failed-precondition' && error.code !== 'permission-denied') return error;
    const now = await readHead();
    const moved = now?.head !== seen?.head || now?.epoch !== seen?.epoch;
    if (moved) return new RemoteError('transient', 'aborted', { cause: error });
    return error.code === 'permission-denied'
      ? error
      : new RemoteError('permanent', 'invalid-argument', { cause: error });
  };

  const transact: RemoteDocuments['transact'] = async (refs, decide) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(refs, decide);
      } catch (error) {
        const failure = toRemoteError(error);
        const lostRace = failure.code === 'aborted' || failure.code === 'already-exists';
        if (!lostRace || attempts >= maxTransactionAttempts) throw failure;
      }
    }
  };

  /**
   * Replaces the SDK's `unknown`, which stands both for no answer and for one that is not Firestore's, with a specific
   * code.
   */
  const explained = async (error: RemoteError): Promise<RemoteError> => {
    if (error.code === 'deadline-exceeded') {
      return new RemoteError('transient', 'timeout', { cause: error });
    }
    if (error.code !== 'unknown') return error;
    const isPortal = await withDeadline(clock, probe(), probeTimeoutMs);
    return new RemoteError('transient', isPortal ? 'not-firestore' : 'unavailable', {
      cause: error,
    });
  };

  const underWay = new Set<Promise<unknown>>();

  const noted = <Result>(request: Promise<Result>): Promise<Result> => {
    const ended: Promise<unknown> = request
      .catch(() => undefined)
      .then(() => underWay.delete(ended));
    underWay.add(ended);
    return request;
  };

  const ask = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!isSignedIn()) throw new RemoteError('transient', 'unauthenticated');
    try {
      return await withDeadline(clock, noted(work()), wholeLimitMs);
    } catch (error) {
      if (error instanceof RemoteError && error.code === 'timeout') requests.abandon();
      throw await explained(toRemoteError(error));
    }
  };

  /** Returns the same documents, refusing every call and dropping every answer once the signal is aborted. */
  const under = (signal?: AbortSignal): RemoteDocuments => {
    const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      signal?.throwIfAborted();
      try {
        return await ask(work);
      } finally {
        signal?.throwIfAborted();
      }
    };
    return {
      readHead: () => guarded(readHead),
      pull: (name, afterSeq, max) =>
        guarded(() =>
          fetchDocuments(
            name,
            query(ownDocuments(name), where('seq', '>', afterSeq), orderBy('seq'), limit(max)),
          ),
        ),
      hasUnsequenced: (name) => guarded(() => hasUnsequenced(name)),
      sumOfSeqs: (name) => guarded(() => sumOfSeqs(name)),
      scan: (...page) => guarded(() => scan(...page)),
      transact: (refs, decide) => guarded(() => transact(refs, decide)),
      abandon: requests.abandon,
    };
  };

  /** Resolves when no request is in flight: the SDK cannot cancel a request. */
  const idle = async (): Promise<void> => void (await Promise.all(underWay));
  return { ...under(), under, idle };
}
