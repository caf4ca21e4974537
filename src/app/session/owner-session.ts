import type { Log, RemoteFiles, Transcriber } from '../../../replication/ports.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import {
  correctedMs,
  deviceRecordId,
  type LocalRecord,
} from '../../../schemas/local/local-record.ts';
import type { Commands } from '../../data/commands/commands.ts';
import type { Data } from '../../data/data-context.ts';
import { createQueries } from '../../data/queries/rx-queries.ts';
import { connection } from '../../platform/connection.ts';
import { watchPageResume } from '../../platform/page-visibility.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { holdIdleWork, whenIdle } from '../../platform/when-idle.ts';
import { followClock } from '../../lib/dates/now.ts';
import { nextTask } from '../../lib/async/next-task.ts';
import { lazyService } from '../../lib/async/lazy-service.ts';
import { openOwnerDatabase } from './open-owner-database.ts';
import { createLazySync } from '../sync/lazy-sync.ts';
import type { LoadSync, OnActivity } from '../sync/sync-handle.ts';

/** One owner's open database on this device, and its sync. The code of sync loads when the page is idle. */
export interface OwnerSession {
  readonly data: Data;
  syncNow(): void;
  /** Resolves when no request to the server is in flight. @returns a function that resumes sync. */
  pauseSync(): Promise<() => void>;
  /** Stops sync and closes the database; what is stored stays. */
  close(): Promise<void>;
}

export interface OwnerSessionOptions {
  readonly uid: string;
  readonly visit: Data['visit'];
  readonly log: Log;
  readonly onActivity: OnActivity;
  /** Also called when the browser has closed the database, since both pages have to read everything again. */
  readonly onPageResumed: () => void;
  readonly onReadError: (error: unknown) => void;
  readonly loadSync: LoadSync;
  /** Asks the server for all organizations. */
  readonly readOrganizations: Data['organizations'];
  readonly loadRemoteFiles: (uid: string) => Promise<RemoteFiles>;
  readonly loadTranscriber: (uid: string) => Promise<Transcriber>;
}

/**
 * Returns this device's clock with the correction that sync has measured, or uncorrected before the first measurement.
 */
function createCorrectedClock(database: PawPalsDatabase): () => number {
  let device: LocalRecord | undefined;
  // The subscription ends with the database.
  database.local.findOne(deviceRecordId).$.subscribe((row) => {
    device = row?.data;
  });
  return () => correctedMs(device, systemClock.now());
}

/** The data of the session that is open for a visit, which may be opened anew meanwhile. */
const newestData = new WeakMap<Data['visit'], Data>();

/** Requests persistent storage. Callers do not wait, because some browsers ask the owner. */
async function protectStorage(): Promise<void> {
  // The note is shown as stored first.
  await nextTask();
  try {
    const { protectStorageOnce } = await import('../../platform/storage/storage-protection.ts');
    await protectStorageOnce();
  } catch {
    // Settings shows whether the storage is protected.
  }
}

export async function openOwnerSession(options: OwnerSessionOptions): Promise<OwnerSession> {
  const { uid, log } = options;
  holdIdleWork();
  const database = await openOwnerDatabase(uid, options.onPageResumed);
  const correctedNow = createCorrectedClock(database);
  followClock(correctedNow);
  const onWritten = (): void => sync.running()?.poke('local-write');
  let isClosed = false;
  // Also without sync: queries miss what other tabs wrote while the page was frozen.
  const closes: (() => unknown)[] = [watchPageResume(options.onPageResumed)];
  /** Opens a service that the session closes. One whose code comes after the session's end would outlive it. */
  const open = <Service extends { close(): unknown }>(start: () => Service): Service => {
    if (isClosed) throw new Error('The session has ended');
    const opened = start();
    closes.push(() => opened.close());
    return opened;
  };
  const files = lazyService(async () => {
    const [{ openFiles }, loaded] = await Promise.all([
      import('../services/open-files.ts'),
      commands.load(),
    ]);
    const loadRemoteFiles = () => options.loadRemoteFiles(uid);
    const loadTranscriber = () => options.loadTranscriber(uid);
    const remote = { loadRemoteFiles, loadTranscriber };
    const deps = { ...options, ...remote, database, commands: loaded, correctedNow, onWritten };
    const opened = open(() => openFiles(deps));
    await opened.ready;
    opened.claimShares().catch(() => undefined);
    return opened;
  }, whenIdle);
  /** Runs once per session, however often sync starts. */
  let retried: Promise<void> | null = null;
  const retryRefused = async (): Promise<void> => {
    try {
      await (await commands.load()).retryAll();
      await (await files.load()).retryAllFiles();
    } catch {
      log('refused-not-retried');
    }
  };
  const startSync = () =>
    createLazySync({
      ...options,
      database,
      correctedNow,
      loadFiles: files.load,
      retryRefused: () => (retried ??= retryRefused()),
      syncOverview: () => queries.syncOverview(),
    });
  let sync = startSync();

  const commands = lazyService(async (): Promise<Commands> => {
    const { openCommands } = await import('../services/open-commands.ts');
    const deps = { uid, database, log, correctedNow, onWritten };
    return openCommands({
      ...deps,
      newest: () => newest().commands(),
      onNoteKept: () => void protectStorage(),
    });
  });
  // The commands load when the page is idle, so that the first write need not wait for them.
  whenIdle(() => {
    commands.load().catch(() => undefined);
  });
  const queries = createQueries({ ...options, collections: database, files });

  const transfers: Data['transfers'] = async () => {
    const [{ openTransfers }, opened] = await Promise.all([
      import('../services/open-transfers.ts'),
      files.load(),
    ]);
    return openTransfers({ uid, database, files: opened, correctedNow, onWritten });
  };

  const search = lazyService(async () => {
    const { openSearch } = await import('../services/open-search.ts');
    return open(() => openSearch(uid, database));
  }, whenIdle);

  const answers = lazyService(async () => {
    const { openAnswers } = await import('../services/open-query-client.ts');
    return open(() => openAnswers(connection));
  }, whenIdle);

  const data: Data = {
    uid,
    visit: options.visit,
    commands: commands.load,
    queries,
    files,
    newestFiles: () => newest().files.load(),
    answers: answers.load,
    organizations: options.readOrganizations,
    transfers,
    search: search.load,
    correctedNow,
  };
  const newest = () => newestData.get(options.visit) ?? data;
  newestData.set(options.visit, data);

  return {
    data,
    syncNow: () => {
      const running = sync.running();
      if (running === undefined) sync.load();
      else running.poke('manual');
    },
    pauseSync: async () => {
      await sync.stop();
      return () => {
        if (!isClosed) sync = startSync();
      };
    },
    close: async () => {
      isClosed = true;
      followClock(systemClock.now);
      // The pages that were just left keep their recordings before it.
      await nextTask();
      await sync.stop();
      await Promise.all(closes.map((close) => close()));
      await database.close();
    },
  };
}
