import { vi, type Mock } from 'vitest';
import type { FilesContext } from '../../../replication/outbox/files-context.ts';
import type { Log } from '../../../replication/ports.ts';
import { createOutbox } from '../../../store/files/outbox.ts';
import { createMemoryDocumentStore } from '../fakes/memory-document-store.ts';
import { createMemoryRemoteFiles } from '../fakes/memory-remote-files.ts';
import { untroubled } from './test-outbox.ts';

/** Returns the dependencies of the passes: an empty device at 1,000 ms of its clock, which is 1,000 ms slow. */
export function setUpLedger() {
  const store = createMemoryDocumentStore();
  const outbox = createOutbox({ store, files: store.files, now: () => 7, newId: () => 'id' });
  const deps: FilesContext & { readonly log: Mock<Log> } = {
    ...untroubled,
    store,
    outbox,
    clock: { now: () => 1_000 },
    correctedNow: () => 2_000,
    log: vi.fn<Log>(),
    files: createMemoryRemoteFiles().connect(),
    random: () => 0.999_999,
  };
  return { store, outbox, deps };
}
