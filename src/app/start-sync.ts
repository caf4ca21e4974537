import { openBroadcastChannel } from '../../replication/connectivity/message-channel.ts';
import { createStatusRelay } from '../../replication/connectivity/status-relay.ts';
import { createWebLock } from '../../replication/connectivity/web-lock.ts';
import { createCoordinator, type Coordinator } from '../../replication/documents/coordinator.ts';
import { readHead } from '../../replication/documents/read-head.ts';
import { createSyncEngine } from '../../replication/documents/sync-engine.ts';
import { withDeadline } from '../../replication/firebase/deadline.ts';
import type { FirebaseConfig } from '../../replication/firebase/config.ts';
import {
  createFirestoreDocuments,
  openFirestore,
} from '../../replication/firebase/firestore-documents.ts';
import { createProbe } from '../../replication/firebase/probe.ts';
import { createOutboxWorker } from '../../replication/outbox/outbox-worker.ts';
import type { Outbox } from '../../replication/outbox/outbox.ts';
import type { RemoteFiles, Transcriber } from '../../replication/ports.ts';
import { createRxDocumentStore } from '../../replication/store/rx-document-store.ts';
import { derivedId } from '../data/derived-id.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { newId } from '../platform/new-id.ts';
import { browserOnlineSignal } from '../platform/online-signal.ts';
import { isPageVisible, watchReturnToPage, watchThaw } from '../platform/page-visibility.ts';
import { systemClock } from '../platform/system-clock.ts';
import { startBell } from './start-bell.ts';
import type { SyncHandle, SyncRequest } from './sync-handle.ts';

export interface StartSyncOptions extends Omit<SyncRequest, 'loadFiles'> {
  readonly outbox: Outbox;
  readonly remoteFiles: RemoteFiles;
  readonly transcriber: Transcriber;
  readonly service: FirebaseAuthService;
  readonly config: FirebaseConfig;
}

const settleLimitMs = 3_000;

interface Opened {
  readonly coordinator: Coordinator;
  /** Waits for requests that were begun, for a moment: what a dead connection holds up ends nobody's session. */
  readonly settle: () => Promise<void>;
}

function openCoordinator(options: StartSyncOptions): Opened {
  const { uid, database, service, config, log } = options;
  const clock = systemClock;
  const remote = createFirestoreDocuments({
    firestore: openFirestore(config),
    uid,
    clock,
    probe: createProbe(config),
    isSignedIn: () => service.isSignedInAs(uid),
  });
  const store = createRxDocumentStore(database);
  const engine = createSyncEngine({
    store,
    remote,
    clock,
    newId,
    log,
  });
  const lock = createWebLock({
    uid,
    locks: navigator.locks,
    openChannel: openBroadcastChannel,
    clock,
    isVisible: isPageVisible,
    onRobbed: options.onThawed,
  });
  const common = { clock, online: browserOnlineSignal, random: Math.random, log };
  const outbox = createOutboxWorker({
    ...common,
    outbox: options.outbox,
    store,
    files: options.remoteFiles,
    transcriber: options.transcriber,
    successorId: derivedId,
    confirmAccount: async () => void (await readHead(remote)),
    correctedNow: async () => options.correctedNow(),
    onWritten: () => coordinator.poke('local-write'),
  });
  const coordinator = createCoordinator({ ...common, engine, outbox, lock });
  const settle = (): Promise<void> =>
    withDeadline(clock, remote.idle(), settleLimitMs).catch(() => undefined);
  return { coordinator, settle };
}

/**
 * Runs something in the tab that syncs and in no other: a browser has six connections to a server over HTTP/1.1, and each
 * bell holds one.
 * @returns a function that ends it for good.
 */
function whileActive(coordinator: Coordinator, start: () => () => void): () => void {
  let stop: (() => void) | null = null;
  const follow = (): void => {
    if (coordinator.isActive()) stop ??= start();
    else {
      stop?.();
      stop = null;
    }
  };
  const unwatch = coordinator.watch(follow);
  follow();
  return () => {
    unwatch();
    stop?.();
  };
}

/** Sync of one owner in this page. Until the identity provider knows the owner, nothing is sent, and the problem is told. */
export async function startSync(options: StartSyncOptions): Promise<SyncHandle> {
  const { uid, service, config, log, onActivity } = options;
  await service.ready();
  const { coordinator, settle } = openCoordinator(options);
  const relay = createStatusRelay({ uid, openChannel: openBroadcastChannel, coordinator });
  const stops = [
    relay.watch(onActivity),
    watchReturnToPage(() => relay.poke('focus')),
    watchThaw(options.onThawed),
    service.watch(() => relay.poke('manual')),
    whileActive(coordinator, () =>
      startBell({
        config,
        uid,
        online: browserOnlineSignal,
        log,
        onRing: () => relay.poke('bell'),
      }),
    ),
  ];
  coordinator.start();
  return {
    poke: (reason) => relay.poke(reason),
    stop: async () => {
      for (const stop of stops) stop();
      relay.close();
      await coordinator.stop();
      await settle();
    },
  };
}
