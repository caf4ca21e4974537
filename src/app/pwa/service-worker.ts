import type { createStore } from 'jotai';
import { Workbox } from 'workbox-window';
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
import { followUpdates, type AppWorker } from './updates.ts';

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

/** Looks for a new version. A first installation that has failed is started again, as no browser does by itself. */
function checkNowAndThen(workbox: Workbox): void {
  let checkedAtMs = systemClock.now();
  const check = (): void => {
    const isMissing = navigator.serviceWorker.controller === null;
    // The clock may have been set back.
    const isDue = isMissing || Math.abs(systemClock.now() - checkedAtMs) >= checkEveryMs;
    if (!isDue || !browserOnlineSignal.isOnline()) return;
    checkedAtMs = systemClock.now();
    (isMissing ? workbox.register() : workbox.update()).catch(() => undefined);
  };
  watchReturnToPage(check);
  browserOnlineSignal.watch(check);
}

/**
 * Calls `then` for each version that waits. Workbox reports only the first one that is found: it stops listening once a
 * later one, or one that is found after a minute, seems to be none of its own.
 */
async function watchWaiting(then: () => void): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  const look = ({ target }: Event): void => {
    if (Object(target).state === 'installed') then();
  };
  const watch = (): void => registration.installing?.addEventListener('statechange', look);
  registration.addEventListener('updatefound', watch);
  watch();
  if (registration.waiting !== null) then();
}

/**
 * Watches the versions that wait, and those that take over. The first worker replaces none, so its takeover does not
 * count.
 */
function watchVersions(): Pick<AppWorker, 'onWaiting' | 'onReplaced'> {
  const { serviceWorker } = navigator;
  let hasWorker = serviceWorker.controller !== null;
  return {
    onWaiting: (then) => {
      const note = (): void => {
        // A hard reload leaves the page without a controller, although there is a worker that this version replaces.
        hasWorker = true;
        then();
      };
      watchWaiting(note).catch(() => undefined);
    },
    onReplaced: (then) =>
      serviceWorker.addEventListener('controllerchange', () => {
        if (hasWorker) then();
        hasWorker = true;
      }),
  };
}

function follow(workbox: Workbox, options: WorkerOptions): void {
  const { isOnline } = browserOnlineSignal;
  const tab = { store: options.store, page: document, recordings: recordingLocks.held, isOnline };
  followUpdates({
    worker: {
      ...watchVersions(),
      apply: () => workbox.messageSkipWaiting(),
    },
    toasts: toastsOf(options.store),
    findUnfinished: watchUnfinishedWork({
      channel: openBroadcastChannel('pawpals-unfinished'),
      clock: systemClock,
      find: () => findUnfinished(tab),
    }),
    watchChunkFailures,
    isOnline,
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
  try {
    const workbox = new Workbox('/sw.js');
    follow(workbox, options);
    checkNowAndThen(workbox);
    await workbox.register();
  } catch (error) {
    options.log('worker-not-registered', reasonOf(error));
  }
}
