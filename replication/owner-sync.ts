import {
  createCoordinator,
  type Coordinator,
  type CoordinatorDeps,
} from './documents/coordinator.ts';
import { readHead } from './documents/read-head.ts';
import { createSyncEngine, type SyncPorts } from './documents/sync-engine.ts';
import type { FirebaseConfig } from './firebase/firebase-config.ts';
import { createFirestoreDocuments, openFirestore } from './firebase/firestore-documents.ts';
import { createProbe } from './firebase/probe.ts';
import type { FilesContext } from './outbox/files-context.ts';
import { createOutboxWorker } from './outbox/outbox-worker.ts';
import type { RemoteFiles } from './ports.ts';
import { settlingLock } from './settling-lock.ts';
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

/** Creates the sync of one owner. Once it has stopped, no request is in flight, unless one has had no answer for 3 s. */
export function createOwnerSync(deps: OwnerSyncDeps): Coordinator {
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
  const lock = settlingLock({ lock: deps.lock, clock, idle: remote.idle });
  const common = { ...deps, lock, random: Math.random };
  const outbox = createOutboxWorker({
    ...common,
    store,
    files: deps.remoteFiles,
    confirmAccount: async () => void (await readHead(remote)),
    onWritten: () => coordinator.poke('local-write'),
  });
  const coordinator: Coordinator = createCoordinator({ ...common, engine, outbox });
  return coordinator;
}
