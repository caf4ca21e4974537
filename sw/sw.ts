/// <reference lib="webworker" />
import { clientsClaim } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerWakeUps } from './background-sync.ts';
import { answerFromServer } from './chunk-answers.ts';
import { serverPaths } from './server-paths.ts';
import { takeShares } from './share-target.ts';

/**
 * Wiring only: the whole app is precached, and every navigation gets its shell, with or without a network.
 *
 * - A new version waits until no page uses the old one, or a page says that its owner agrees; nothing is swapped under an
 *   owner who is writing. What the old one has kept goes only then.
 * - Code that it has not kept comes from the server, within a limit, and if not, the page is told why.
 * - With a connection after a time without one, it sends what waits, also when no page is open.
 * - Paths that belong to the server are never answered from here.
 */
declare const self: ServiceWorkerGlobalScope & {
  /** Written in by the build. */
  readonly __WB_MANIFEST: (PrecacheEntry | string)[];
};

answerWakeUps(self);
function isOwnCode({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname.startsWith('/static/js/');
}

self.addEventListener('message', ({ data }) => {
  if (Object(data).type === 'SKIP_WAITING') void self.skipWaiting();
});

clientsClaim();
cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(({ url }) => isOwnCode(url), answerFromServer);
takeShares();
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: serverPaths }),
);
