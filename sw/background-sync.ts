import { runInBackground, type BackgroundSync } from '../replication/background-run.ts';
import { readWorkLeft } from '../replication/badge/work-left.ts';
import { showUnsentBadge } from '../replication/badge/unsent-badge.ts';
import { openBroadcastChannel } from '../store/rxdb/message-channel.ts';
import { createWebLockIfAvailable } from '../replication/connectivity/web-lock.ts';
import { firebaseConfigOf } from '../replication/firebase/firebase-config.ts';
import { findKeptSignIn, type KeptSignIn } from '../replication/firebase/kept-sign-in.ts';
import { createStorageFiles } from '../replication/firebase/storage-files.ts';
import { createTranscriber } from '../replication/firebase/transcriber.ts';
import { openOutbox } from '../store/files/open-outbox.ts';
import { createOwnerSync } from '../replication/owner-sync.ts';
import type { Clock, ExclusiveLock, Log } from '../replication/ports.ts';
import { openDatabase } from '../store/rxdb/database.ts';
import { hasDatabase } from '../store/erase.ts';
import { newDocumentId } from '../schemas/documents/document-id.ts';
import { correctedMs, deviceRecordId } from '../schemas/local/local-record.ts';
import { backgroundSyncTag, pageLeftMessage } from '../schemas/local/relay-message.ts';

const clock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The browser wakes the worker when there is a connection, and its own signal in the worker is less reliable. */
const online = { isOnline: () => true, watch: () => () => undefined };

const log: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.debug(`pawpals worker ${event}`, details ?? '');
};

function newId(): string {
  return newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
}

function lockOf(uid: string): ExclusiveLock {
  return createWebLockIfAvailable({
    uid,
    locks: navigator.locks,
    onLockLost: () => log('lock-lost'),
  });
}

/** Opens the page's sync in the worker: the same database, outbox and engine. */
async function open(signIn: KeptSignIn, lock: ExclusiveLock): Promise<BackgroundSync> {
  const { uid, idToken } = signIn;
  const config = firebaseConfigOf(import.meta.env, location.origin);
  const database = await openDatabase({ uid, raise: null });
  const outbox = openOutbox(database, { now: () => clock.now(), newId });
  const device = await database.local.findOne(deviceRecordId).exec();
  const origin = import.meta.env.VITE_APP_ORIGIN ?? location.origin;
  const coordinator = createOwnerSync({
    uid,
    database,
    outbox,
    config,
    remoteFiles: createStorageFiles({ config, idToken, clock }),
    transcriber: createTranscriber({ origin, idToken, clock }),
    isSignedIn: signIn.isSignedIn,
    lock,
    online,
    clock,
    correctedNow: () => correctedMs(device?.data, clock.now()),
    newId,
    log,
  });
  return {
    coordinator,
    readWorkLeft: () => readWorkLeft(database, outbox),
    close: async () => void (await database.close()),
  };
}

/** @throws if work is left, so that the browser retries with growing delays. */
async function syncInBackground(): Promise<void> {
  const signIn = await findKeptSignIn(firebaseConfigOf(import.meta.env, location.origin));
  if (signIn === null) return;
  const outcome = await runInBackground({
    uid: signIn.uid,
    lock: lockOf(signIn.uid),
    openChannel: openBroadcastChannel,
    clock,
    hasDatabase: hasDatabase,
    open: (lock) => open(signIn, lock),
    showUnsent: (count) => showUnsentBadge(navigator, count),
  });
  if (outcome === 'later') throw new Error('Not everything was sent');
}

interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

/**
 * Answers the worker's `sync` events, which the platform's types do not know, and messages of closing pages: no browser
 * accepts a sync registration from a page that is closing, and some accept none at all.
 */
export function answerWakeUps(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('message', (event) => {
    // On failure the next start, or the browser's own wake-up, continues.
    if (event.data === pageLeftMessage) event.waitUntil(syncInBackground().catch(() => undefined));
  });
  scope.addEventListener('sync', (event) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const sync = event as SyncEvent;
    if (sync.tag === backgroundSyncTag) sync.waitUntil(syncInBackground());
  });
}
