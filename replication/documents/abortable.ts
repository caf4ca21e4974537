import type { RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';

/**
 * Runs a call of a port. It refuses the call once the signal is aborted, and drops the answer of a call in flight: a
 * run that has lost its lock ends at once, even if a server does not answer, and writes nothing more.
 */
type Step = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** @param onAborted called if a call is in flight when the signal is aborted. */
function stepsUnder(signal: AbortSignal, onAborted: () => void = () => undefined): Step {
  return async (call) => {
    signal.throwIfAborted();
    const aborted = whenAborted(signal, onAborted);
    try {
      return await Promise.race([call(), aborted.promise]);
    } finally {
      aborted.forget();
    }
  };
}

/** Rejects when the signal is aborted. `forget` removes the listener, since the signal lives as long as the lock. */
function whenAborted(
  signal: AbortSignal,
  onAborted: () => void,
): { promise: Promise<never>; forget: () => void } {
  const stops: (() => void)[] = [];
  const promise = new Promise<never>((_, reject) => {
    const abort = (): void => {
      reject(signal.reason);
      onAborted();
    };
    signal.addEventListener('abort', abort);
    stops.push(() => signal.removeEventListener('abort', abort));
  });
  return { promise, forget: () => stops.forEach((stop) => stop()) };
}

export function abortableStore(store: DocumentStore, signal: AbortSignal): DocumentStore {
  const step = stepsUnder(signal);
  return {
    get: (collection, ids) => step(() => store.get(collection, ids)),
    listPending: (collection, state, page) =>
      step(() => store.listPending(collection, state, page)),
    listAll: (collection, page) => step(() => store.listAll(collection, page)),
    listEntriesOfPet: (petId, page) => step(() => store.listEntriesOfPet(petId, page)),
    commit: (writes) => step(() => store.commit(writes)),
    readRecord: (id) => step(() => store.readRecord(id)),
    listRecords: (kind) => step(() => store.listRecords(kind)),
  };
}

export function abortableRemote(remote: RemoteDocuments, signal: AbortSignal): RemoteDocuments {
  const step = stepsUnder(signal, () => remote.abandon());
  return {
    readHead: () => step(() => remote.readHead()),
    pull: (collection, afterSeq, limit) => step(() => remote.pull(collection, afterSeq, limit)),
    hasUnsequenced: (collection) => step(() => remote.hasUnsequenced(collection)),
    sumOfSeqs: (collection) => step(() => remote.sumOfSeqs(collection)),
    scan: (...page) => step(() => remote.scan(...page)),
    transact: (refs, decide) => step(() => remote.transact(refs, decide)),
    abandon: () => remote.abandon(),
  };
}
