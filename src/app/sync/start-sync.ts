import { createStatusRelay } from '../../../replication/connectivity/status-relay.ts';
import { createWebLock } from '../../../replication/connectivity/web-lock.ts';
import type { Coordinator } from '../../../replication/documents/coordinator.ts';
import type { PokeReason } from '../../../schemas/local/relay-message.ts';
import type { FirebaseConfig } from '../../../replication/firebase/firebase-config.ts';
import { openBroadcastChannel } from '../../../store/rxdb/message-channel.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import { createOwnerSync, type OwnerSyncDeps } from '../../../replication/owner-sync.ts';
import type { RemoteFiles, Transcriber } from '../../../replication/ports.ts';
import { liveFrom } from '../../data/queries/live-query.ts';
import {
  handOverToWorker,
  prepareBackgroundSync,
  requestBackgroundSync,
} from '../../platform/background-sync.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { newId } from '../../platform/new-id.ts';
import { browserOnlineSignal } from '../../platform/connection.ts';
import {
  isPageVisible,
  watchLeavingPage,
  watchReturnToPage,
} from '../../platform/page-visibility.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { createBackgroundRequests } from './background-requests.ts';
import { locks } from '../session/tab-locks.ts';
import { startBell } from './start-bell.ts';
import type { SyncHandle, SyncRequest } from './sync-handle.ts';

export interface StartSyncOptions extends Omit<SyncRequest, 'loadFiles' | 'retryRefused'> {
  readonly outbox: Outbox;
  readonly remoteFiles: RemoteFiles;
  readonly transcriber: Transcriber;
  readonly service: FirebaseAuthService;
  readonly config: FirebaseConfig;
}

function openOwnerSync(options: StartSyncOptions & Pick<OwnerSyncDeps, 'passOn'>): Coordinator {
  const { uid, service } = options;
  const lock = createWebLock({
    uid,
    locks,
    openChannel: openBroadcastChannel,
    clock: systemClock,
    isVisible: isPageVisible,
    onLockLost: options.onPageResumed,
  });
  return createOwnerSync({
    ...options,
    isSignedIn: () => service.isSignedInAs(uid),
    lock,
    online: browserOnlineSignal,
    clock: systemClock,
    newId,
  });
}

/**
 * Runs a task only in the tab that syncs: a browser has six connections to a server over HTTP/1.1, and each bell holds
 * one.
 * @returns a function that ends it permanently.
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

/**
 * Starts sync of one owner in this page. Until the identity provider knows the owner, nothing is sent, and the problem
 * is reported.
 */
export async function startSync(options: StartSyncOptions): Promise<SyncHandle> {
  const { uid, service, config, log, onActivity } = options;
  log('sync-loaded');
  await service.ready();
  const passOn = (reason: PokeReason): void => relay.passOn(reason);
  const coordinator = openOwnerSync({ ...options, passOn });
  const { poke } = coordinator;
  const relay = createStatusRelay({ uid, openChannel: openBroadcastChannel, coordinator });
  prepareBackgroundSync();
  const background = createBackgroundRequests({
    overview: options.syncOverview(),
    // A failure to read them is reported where they are shown.
    jobs: liveFrom(
      () => options.outbox.queue.watch(),
      (jobs) => jobs,
      () => undefined,
    ),
    request: requestBackgroundSync,
    handOver: handOverToWorker,
    watchLeaving: watchLeavingPage,
  });
  const stops = [
    relay.watch(onActivity),
    relay.watch(background.follow),
    background.close,
    watchReturnToPage(() => poke('focus')),
    service.watch(() => poke('manual')),
    whileActive(coordinator, () =>
      startBell({
        config,
        uid,
        online: browserOnlineSignal,
        log,
        onRing: () => poke('bell'),
      }),
    ),
  ];
  coordinator.start();
  return {
    poke: (reason) => {
      if (reason === 'local-write') background.onWritten();
      poke(reason);
    },
    stop: async () => {
      for (const stop of stops) stop();
      relay.close();
      await coordinator.stop();
    },
  };
}
