import type { RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';

/**
 * Ports that refuse every call once the signal is aborted, and drop the answer of a call that was on its way: a run that
 * has lost its lock ends at its next step and writes nothing more.
 */
type Step = <Result>(call: () => Promise<Result>) => Promise<Result>;

function stepsUnder(signal: AbortSignal): Step {
  return async (call) => {
    signal.throwIfAborted();
    const result = await call();
    signal.throwIfAborted();
    return result;
  };
}

export function abortableStore(store: DocumentStore, signal: AbortSignal): DocumentStore {
  const step = stepsUnder(signal);
  return {
    get: (collection, ids) => step(() => store.get(collection, ids)),
    listPending: (collection, state, page) =>
      step(() => store.listPending(collection, state, page)),
    listAll: (collection, page) => step(() => store.listAll(collection, page)),
    listEntriesOfPet: (petId, page) => step(() => store.listEntriesOfPet(petId, page)),
    swap: (collection, swaps) => step(() => store.swap(collection, swaps)),
    readRecord: (id) => step(() => store.readRecord(id)),
    listRecords: (kind) => step(() => store.listRecords(kind)),
    writeRecord: (id, record) => step(() => store.writeRecord(id, record)),
    removeRecord: (id) => step(() => store.removeRecord(id)),
  };
}

export function abortableRemote(remote: RemoteDocuments, signal: AbortSignal): RemoteDocuments {
  const step = stepsUnder(signal);
  return {
    readHead: () => step(() => remote.readHead()),
    pull: (collection, afterSeq, limit) => step(() => remote.pull(collection, afterSeq, limit)),
    pullUnsequenced: (collection) => step(() => remote.pullUnsequenced(collection)),
    transact: (refs, decide) => step(() => remote.transact(refs, decide)),
  };
}
