import { vi } from 'vitest';
import type { Log } from '../../../replication/ports.ts';
import { createOutbox } from '../../../store/files/outbox.ts';
import { createMemoryDocumentStore } from '../fakes/memory-document-store.ts';

/** Returns what a ledger is read from: an empty device at 1,000 ms of its clock, which is 1,000 ms slow. */
export function setUpLedger() {
  const store = createMemoryDocumentStore();
  const outbox = createOutbox({ store, files: store.files, now: () => 7, newId: () => 'id' });
  const deps = {
    store,
    outbox,
    clock: { now: () => 1_000 },
    correctedNow: () => 2_000,
    log: vi.fn<Log>(),
  };
  return { store, outbox, deps };
}
