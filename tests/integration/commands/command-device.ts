import { createCoordinator } from '../../../replication/documents/coordinator.ts';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import { readHead } from '../../../replication/documents/read-head.ts';
import { createSyncEngine } from '../../../replication/documents/sync-engine.ts';
import { createStorageFiles } from '../../../replication/firebase/storage-files.ts';
import { createOutboxWorker } from '../../../replication/outbox/outbox-worker.ts';
import { openOutbox } from '../../../store/files/open-outbox.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import type { Clock, RemoteFiles } from '../../../replication/ports.ts';
import { createShareStore } from '../../../replication/shares/share-store.ts';
import { openDatabase, type PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { raiseStores } from '../../../store/indexeddb/raise-stores.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { createRxDocumentStore } from '../../../store/rxdb/rx-document-store.ts';
import { deviceRecordId } from '../../../schemas/local/local-record.ts';
import type { Commands } from '../../../src/data/commands/commands.ts';
import { createFiles, type OpenFiles } from '../../../src/data/files/outbox-files.ts';
import { createCommands } from '../../../src/data/commands/rx-commands.ts';
import { createTransfers } from '../../../src/data/transfer/rx-transfers.ts';
import type { Transfers } from '../../../src/data/transfer/transfers.ts';
import { newId } from '../../../src/platform/new-id.ts';
import {
  openFirestoreClient,
  type FirestoreClient,
} from '../../support/servers/firestore-client.ts';
import { createFaultyDisk, type FaultyDisk } from './faulty-disk.ts';
import type { FaultyLink } from './faulty-link.ts';

/** The app on one device between two starts, with all state that a crash loses. */
export interface RunningApp {
  readonly database: PawPalsDatabase;
  readonly store: DocumentStore;
  readonly outbox: Outbox;
  readonly commands: Commands;
  readonly files: OpenFiles;
  readonly transfers: Transfers;
  readonly remoteFiles: RemoteFiles;
  /**
   * Syncs documents, then files, as the app and its worker do. Resolves when no part of it runs any more. Rejects if it
   * ended by an error that is no answer of the server, as after a crash.
   */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** One device of the owner, with the state that survives a crash. */
export interface CommandDevice {
  readonly name: string;
  readonly disk: FaultyDisk;
  readonly link: FaultyLink;
  readonly client: FirestoreClient;
  /** The error of this device's clock, which a history sets. */
  clockErrorMs: number;
  app(): RunningApp;
  /** Ends the app without a shutdown, and starts it again on the stored data. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

export interface CommandDeviceOptions {
  readonly name: string;
  readonly email: string;
  readonly isNew: boolean;
  readonly link: FaultyLink;
  /** Returns the true time in epoch milliseconds. */
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Returns the transcript of an uploaded recording. */
  readonly transcribe: (objectName: string) => Promise<string>;
}

const ignored = (): void => undefined;

/** The lock is always free, because nothing else syncs this device. */
const freeLock = {
  hold: (work: (signal: AbortSignal) => Promise<void>, stop: AbortSignal) => work(stop),
};

interface Parts extends CommandDeviceOptions {
  readonly client: FirestoreClient;
  readonly now: () => number;
}

async function correctionOf(database: PawPalsDatabase): Promise<number> {
  const row = await database.local.findOne(deviceRecordId).exec();
  return row?.data.kind === 'device' ? row.data.clockOffsetMs : 0;
}

async function startApp(parts: Parts): Promise<RunningApp> {
  const { name, client, now, link, random } = parts;
  const { uid } = client;
  const database = await openDatabase({ uid: name, raise: raiseStores });
  const store = createRxDocumentStore(database);
  const outbox = openOutbox(database, { now, newId });
  let correctionMs = await correctionOf(database);
  const correctedNow = (): number => now() + correctionMs;
  const clock: Clock = {
    now,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  };
  const remoteFiles = createStorageFiles({
    config: { serverOrigin: link.url, storageBucket: 'demo-pawpals.appspot.com' },
    idToken: client.idToken,
    clock,
  });
  const commands = createCommands({
    uid,
    store,
    now,
    correctedNow,
    newId,
    beginDeletePetJob: (petId) => runDeletePetJob(store, petId),
    onWritten: ignored,
    onNoteKept: ignored,
  });
  const files = createFiles({
    outbox,
    shares: createShareStore(uid, now),
    collections: database,
    commands,
    locks: { hold: async () => ignored, held: async () => new Set<string>() },
    newId,
    now,
    correctedNow,
    hear: async () => ({ text: '', rough: false }),
    drawWaveform: async () => null,
    download: (path) => remoteFiles.download(path, new AbortController().signal),
    toUrl: ({ bytes }) => `blob:${String(bytes.byteLength)}`,
    revokeUrl: ignored,
    onReadError: ignored,
    onWritten: ignored,
    watchOnline: () => ignored,
    watchReturn: () => ignored,
    after: (delayMs, run) => clock.after(delayMs, run),
  });
  await files.ready;
  const transfers = createTransfers({
    uid,
    collections: database,
    store,
    files,
    isOnline: () => !link.isDown(),
    now,
    correctedNow,
    onWritten: ignored,
  });
  const log = ignored;
  const online = { isOnline: () => !link.isDown(), watch: () => ignored };
  const remote = client.documents;
  const common = { clock, online, random, log };
  const coordinator = createCoordinator({
    ...common,
    lock: freeLock,
    engine: createSyncEngine({
      openPorts: (signal) => ({
        store: createRxDocumentStore(database, signal),
        remote: remote.under(signal),
      }),
      clock,
      newId,
      log,
    }),
    outbox: createOutboxWorker({
      ...common,
      outbox,
      store,
      files: remoteFiles,
      transcriber: {
        transcribe: async (path) => ({ text: await parts.transcribe(path), rough: false }),
      },
      confirmAccount: async () => void (await readHead(remote)),
      correctedNow,
      onWritten: ignored,
    }),
  });
  const stopping = new AbortController();
  return {
    database,
    store,
    outbox,
    commands,
    files,
    transfers,
    remoteFiles,
    sync: async () => {
      const outcome = await coordinator.runOnce(stopping.signal);
      if (outcome?.kind === 'defect') throw new Error('The sync ended by a defect');
      correctionMs = await correctionOf(database).catch(() => correctionMs);
    },
    close: async () => {
      stopping.abort();
      void files.close();
      await database.close().catch(ignored);
    },
  };
}

export async function openCommandDevice(options: CommandDeviceOptions): Promise<CommandDevice> {
  const { name, link, email, isNew, nowMs } = options;
  const disk = createFaultyDisk(name);
  const client = await openFirestoreClient({ url: link.url, email, isNew });
  const device = { clockErrorMs: 0 };
  const now = (): number => nowMs() + device.clockErrorMs;
  const start = () => startApp({ ...options, client, now });
  let running = await start();
  return Object.assign(device, {
    name,
    disk,
    link,
    client,
    app: () => running,
    restart: async () => {
      await running.close();
      disk.repair();
      running = await start();
    },
    dispose: async () => {
      disk.repair();
      await running.close();
      await client.close();
      await link.close();
    },
  });
}
