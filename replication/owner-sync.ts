import {
  createCoordinator,
  type Coordinator,
  type CoordinatorDeps,
} from './documents/coordinator.ts';
import { readHead } from './documents/read-head.ts';
import { createSyncEngine, type SyncPorts } from './documents/sync-engine.ts';
import type { FirebaseConfig } from './firebase/firebase-config.ts';
import { withDeadline } from './firebase/deadline.ts';
import { createFirestoreDocuments, openFirestore } from './firebase/firestore-documents.ts';
import { createProbe } from './firebase/probe.ts';
import type { FilesContext } from './outbox/files-context.ts';
import { createOutboxWorker } from './outbox/outbox-worker.ts';
import type { RemoteFiles } from './ports.ts';
import type { PawPalsDatabase } from '../store/rxdb/database.ts';
import { createRxDocumentStore } from '../store/rxdb/rx-document-store.ts';

/** The dependencies of one owner's sync, the same in a page and in the worker. */
export interface OwnerSyncDeps
  extends
    Pick<CoordinatorDeps, 'lock' | 'online' | 'clock' | 'log' | 'passOn'>,
    Pick<FilesContext, 'outbox' | 'transcriber' | 'correctedNow'> {
  readonly uid: string;
  readonly database: PawPalsDatabase;
  readonly config: FirebaseConfig;
  readonly remoteFiles: RemoteFiles;
  /** Whether requests made now carry this owner's token. */
  readonly isSignedIn: () => boolean;
  readonly newId: () => string;
}

export type OwnerSync = ReturnType<typeof createOwnerSync>;

/** A dead connection must not delay the end of a session. */
const settleLimitMs = 3_000;

export function createOwnerSync(deps: OwnerSyncDeps) {
  const { uid, config, clock, newId, log } = deps;
  const remote = createFirestoreDocuments({
    firestore: openFirestore(config),
    uid,
    clock,
    probe: createProbe(config),
    isSignedIn: deps.isSignedIn,
  });
  const store = createRxDocumentStore(deps.database);
  const openPorts = (signal: AbortSignal): SyncPorts => ({
    store: createRxDocumentStore(deps.database, signal),
    remote: remote.under(signal),
  });
  const engine = createSyncEngine({ openPorts, clock, newId, log });
  const common = { ...deps, random: Math.random };
  const outbox = createOutboxWorker({
    ...common,
    store,
    files: deps.remoteFiles,
    confirmAccount: async () => void (await readHead(remote)),
    onWritten: () => coordinator.poke('local-write'),
  });
  const coordinator: Coordinator = createCoordinator({ ...common, engine, outbox });
  /** Waits at most 3 s for the requests in flight. */
  const settle = (): Promise<void> =>
    withDeadline(clock, remote.idle(), settleLimitMs).catch(() => undefined);
  return { coordinator, settle };
}
