/// <reference lib="webworker" />
/**
 * Wiring only: the whole app is precached, and every navigation gets its shell, with or without a network.
 *
 * - A new version waits until no page uses the old one, or a page reports its owner's consent; the code is never
 *   swapped under an owner who is writing. The old version's cache is deleted only then. Neither requests nor a run of
 *   sync keep the old version once the owner has consented.
 * - Code that is not in the cache comes from the server, within a time limit; on failure the page learns the reason.
 * - When the connection returns, it sends what is pending, also when no page is open.
 * - Paths that belong to the server are never answered from the cache.
 */
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { endRunOfOlderWorker } from '../replication/background-run.ts';
import { openBroadcastChannel } from '../store/rxdb/message-channel.ts';
import { answerWakeUps } from './background-sync.ts';
import { answerFromServer } from './chunk-answers.ts';
import { routePastWorker, serverPaths } from './server-paths.ts';
import { takeShares } from './share-target.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Injected by the build. */
  readonly __WB_MANIFEST: (PrecacheEntry | string)[];
};

answerWakeUps(self);
function isOwnCode({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname.startsWith('/static/js/');
}

self.addEventListener('message', ({ data }) => {
  if (Object(data).type !== 'SKIP_WAITING') return;
  endRunOfOlderWorker(openBroadcastChannel);
  void self.skipWaiting();
});

self.addEventListener('install', routePastWorker);
// Not `clientsClaim` of Workbox, which does not catch that a worker unregistered meanwhile may not claim.
self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim().catch(() => undefined));
});
cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(({ url }) => isOwnCode(url), answerFromServer);
takeShares();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), {
    denylist: serverPaths.map((path) => new RegExp(`^${path}`)),
  }),
);
