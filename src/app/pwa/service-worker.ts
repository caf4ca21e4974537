import type { createStore } from 'jotai';
import type { Log } from '../../../replication/ports.ts';
import { openBroadcastChannel } from '../../../store/rxdb/message-channel.ts';
import { watchChunkFailures } from '../../lib/async/load-chunk.ts';
import { browserOnlineSignal } from '../../platform/connection.ts';
import { watchReturnToPage } from '../../platform/page-visibility.ts';
import { recordingLocks } from '../../platform/media/recording-locks.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { reasonOf } from '../log.ts';
import { findUnfinished, isTyping, watchUnfinishedWork } from './unfinished-work.ts';
import { followUpdates } from './updates.ts';

interface WorkerOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly log: Log;
}

/** The interval matters because an installed app may stay open for weeks. */
const checkEveryMs = 60 * 60_000;

const reloadKey = 'pawpals:reloaded';

function noteReload(): boolean {
  try {
    if (sessionStorage.getItem(reloadKey) !== null) return false;
    sessionStorage.setItem(reloadKey, 'yes');
    return true;
  } catch {
    // Without storage no reload can be counted, and the page might reload for ever.
    return false;
  }
}

function checkNowAndThen(registration: ServiceWorkerRegistration): void {
  let checkedAtMs = systemClock.now();
  watchReturnToPage(() => {
    if (systemClock.now() - checkedAtMs < checkEveryMs || !browserOnlineSignal.isOnline()) return;
    checkedAtMs = systemClock.now();
    registration.update().catch(() => undefined);
  });
}

/** Calls `then` when a new worker is installed and waits. The first worker has none to wait for. */
function watchWaiting(registration: ServiceWorkerRegistration, then: () => void): void {
  const look = (): void => {
    if (registration.waiting !== null && registration.active !== null) then();
  };
  const followInstalling = (): void =>
    registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', followInstalling);
  followInstalling();
  look();
}

/** Calls `then` when another worker takes over. The first worker replaces none, so it does not count. */
function watchReplacement(then: () => void): void {
  const { serviceWorker } = navigator;
  let hasWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (hasWorker) then();
    hasWorker = true;
  });
}

function follow(registering: Promise<ServiceWorkerRegistration>, options: WorkerOptions): void {
  const tab = { store: options.store, page: document, recordings: recordingLocks.held };
  const withRegistration = (work: (registration: ServiceWorkerRegistration) => void): void => {
    registering.then(work, () => undefined);
  };
  followUpdates({
    worker: {
      onWaiting: (then) => withRegistration((registration) => watchWaiting(registration, then)),
      onReplaced: watchReplacement,
      apply: () =>
        withRegistration(({ waiting }) => {
          // A worker is addressed without an origin.
          // oxlint-disable-next-line unicorn/require-post-message-target-origin
          waiting?.postMessage({ type: 'SKIP_WAITING' });
        }),
    },
    toasts: toastsOf(options.store),
    findUnfinished: watchUnfinishedWork({
      channel: openBroadcastChannel('pawpals-unfinished'),
      clock: systemClock,
      find: () => findUnfinished(tab),
    }),
    watchChunkFailures,
    isOnline: browserOnlineSignal.isOnline,
    isTyping: () => isTyping(document),
    noteReload,
    reload: () => location.reload(),
    clock: systemClock,
    log: options.log,
  });
}

/** Registers the worker that makes the app start without a network, and follows its new versions. */
export async function startServiceWorker(options: WorkerOptions): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registering = navigator.serviceWorker.register('/sw.js');
  follow(registering, options);
  try {
    checkNowAndThen(await registering);
  } catch (error) {
    options.log('worker-not-registered', reasonOf(error));
  }
}
