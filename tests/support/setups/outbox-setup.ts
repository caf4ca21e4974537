import { createOutboxWorker } from '../../../replication/outbox/outbox-worker.ts';
import { createOutbox, type Outbox } from '../../../store/files/outbox.ts';
import type { OutboxQueue } from '../../../store/files/outbox-queue.ts';
import { RemoteError, type RemoteFiles } from '../../../replication/ports.ts';
import { createFakeClock } from '../fakes/fake-clock.ts';
import { createMemoryDocumentStore } from '../fakes/memory-document-store.ts';
import { createMemoryRemoteFiles } from '../fakes/memory-remote-files.ts';
import { clean, newPet } from '../fixtures/sync-documents.ts';
import { newId } from '../../../src/platform/new-id.ts';

interface RigOptions {
  readonly wrapFiles?: (files: RemoteFiles) => RemoteFiles;
  readonly wrapQueue?: (queue: OutboxQueue) => OutboxQueue;
}

export function refusedWith(code: string): RemoteError {
  return new RemoteError('permanent', code);
}

export function lostWith(code: string): RemoteError {
  return new RemoteError('transient', code);
}

/** Creates one device's outbox with its worker, a file server, and pets p1 to p3, which the server already has. */
export function createOutboxRig(options: RigOptions = {}) {
  const clock = createFakeClock();
  const server = createMemoryRemoteFiles();
  const store = createMemoryDocumentStore();
  const real = createOutbox({ store, files: store.files, now: () => clock.now(), newId });
  const queue = options.wrapQueue ? options.wrapQueue(real.queue) : real.queue;
  const outbox: Outbox = { ...real, queue };
  const state = { isOnline: true, isAccountGood: true, isRough: false };
  const asked: string[] = [];
  let hear: (fileLocation: string) => Promise<string> = async () => 'went away';
  const events: string[] = [];
  let edits = 0;
  for (const id of ['p1', 'p2', 'p3']) store.put(clean(newPet(id), 1));
  const files = server.connect();
  const worker = createOutboxWorker({
    outbox,
    store,
    files: options.wrapFiles ? options.wrapFiles(files) : files,
    clock,
    transcriber: {
      transcribe: async (fileLocation) => {
        asked.push(fileLocation);
        return { text: await hear(fileLocation), rough: state.isRough };
      },
    },
    online: { isOnline: () => state.isOnline },
    random: () => 0.999_999,
    log: (event) => events.push(event),
    confirmAccount: async () => {
      if (!state.isAccountGood) throw refusedWith('account-refused');
    },
    correctedNow: () => clock.now(),
    onWritten: () => {
      edits += 1;
    },
  });
  const entry = (id: string) => store.documents('entries').find((document) => document.id === id);
  const pet = (id: string) => store.documents('pets').find((document) => document.id === id);
  const sync = (): void => {
    for (const document of [...store.documents('pets'), ...store.documents('entries')]) {
      if (document.pending === 1) store.put(clean(document, (document.seq ?? 0) + 1));
    }
  };
  const pass = () => worker.runOnce(new AbortController().signal);
  return {
    clock,
    server,
    store,
    outbox,
    worker,
    state,
    events,
    edits: () => edits,
    /** The recordings that the server was asked to transcribe, in order. */
    asked,
    hearWith: (next: typeof hear) => {
      hear = next;
    },
    pet,
    entry,
    /** Marks all documents as accepted by the server. */
    sync,
    /** Runs one pass of the worker. */
    pass,
    /** Returns the jobs that are left after the server has accepted all documents and one pass has run. */
    left: async () => {
      sync();
      await pass();
      return outbox.queue.list();
    },
  };
}
