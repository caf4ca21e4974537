import 'fake-indexeddb/auto';
import { createSyncEngine } from '../../../replication/documents/sync-engine.ts';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import type { SyncOutcome } from '../../../replication/documents/sync-engine.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { createRxDocumentStore } from '../../../store/rxdb/rx-document-store.ts';
import type { Commands } from '../../../src/data/commands/commands.ts';
import type { Queries } from '../../../src/data/queries/queries.ts';
import { createCommands } from '../../../src/data/commands/rx-commands.ts';
import { createQueries } from '../../../src/data/queries/rx-queries.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { fakeFiles } from '../fakes/fake-files.ts';
import { openFirestoreClient, type FirestoreClient } from '../servers/firestore-client.ts';
import { openTestDatabase } from './test-database.ts';

/** A device made of the real parts: commands, RxDB, the engine, and the Firestore SDK against a server. */
export interface RealDevice {
  readonly uid: string;
  readonly client: FirestoreClient;
  readonly commands: Commands;
  readonly queries: Queries;
  readonly store: DocumentStore;
  readonly database: PawPalsDatabase;
  sync(): Promise<SyncOutcome>;
}

export interface RealDeviceOptions {
  readonly url: string;
  readonly email: string;
  readonly isNew: boolean;
  /** The error of this device's clock, in milliseconds. */
  readonly clockErrorMs?: number;
}

export async function openRealDevice(options: RealDeviceOptions): Promise<RealDevice> {
  const client = await openFirestoreClient(options);
  // The databases of one owner would be the same one in this process, so the name differs per device.
  const database = await openTestDatabase(`${client.uid}-${crypto.randomUUID()}`);
  const store = createRxDocumentStore(database);
  const now = (): number => Date.now() + (options.clockErrorMs ?? 0);
  const engine = createSyncEngine({
    openPorts: (signal) => ({
      store: createRxDocumentStore(database, signal),
      remote: client.documents.under(signal),
    }),
    clock: { now },
    newId,
    log: () => undefined,
  });
  const commands = createCommands({
    uid: client.uid,
    store,
    now,
    correctedNow: now,
    newId,
    beginDeletePetJob: (petId) => runDeletePetJob(store, petId),
    onWritten: () => undefined,
    onNoteKept: () => undefined,
  });
  const onReadError = (error: unknown): never => {
    throw error;
  };
  return {
    uid: client.uid,
    client,
    commands,
    queries: createQueries({ collections: database, files: fakeFiles(), onReadError }),
    store,
    database,
    sync: () => engine.run(new AbortController().signal),
  };
}
