import 'fake-indexeddb/auto';
import { createSyncEngine } from '../../replication/documents/sync-engine.ts';
import type { SyncOutcome } from '../../replication/documents/sync-run.ts';
import type { RemoteDocuments } from '../../replication/ports.ts';
import { openOutbox } from '../../store/files/open-outbox.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { openDatabase, type PawPalsDatabase } from '../../store/database.ts';
import { raiseStores } from '../../store/raise-stores.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { createRxDocumentStore } from '../../store/rx-document-store.ts';

/** Whose data is frozen: their id is a part of the names of databases. */
export const frozenUid = 'frZn0wner28LettersLongAsReal';
export const frozenNowMs = 1_790_000_000_000;

let ids = 0;

/** Of 20 characters, as the app's are. */
export function nextId(): string {
  ids += 1;
  return `frozen${String(ids).padStart(14, '0')}`;
}

export function frozenOutbox(database: PawPalsDatabase): Outbox {
  return openOutbox(database, { now: () => frozenNowMs, newId: nextId });
}

export interface FrozenDevice {
  readonly database: PawPalsDatabase;
  readonly store: DocumentStore;
  readonly outbox: Outbox;
  close(): Promise<void>;
}

/** The owner's database, opened as the app opens them. */
export async function openFrozenDevice(): Promise<FrozenDevice> {
  const database = await openDatabase({ uid: frozenUid, raise: raiseStores });
  const close = async () => void (await database.close());
  const outbox = frozenOutbox(database);
  return { database, store: createRxDocumentStore(database), outbox, close };
}

export function syncFrozen(store: DocumentStore, remote: RemoteDocuments): Promise<SyncOutcome> {
  const clock = { now: () => frozenNowMs };
  const engine = createSyncEngine({ store, remote, clock, newId: nextId, log: () => undefined });
  return engine.run(new AbortController().signal);
}
