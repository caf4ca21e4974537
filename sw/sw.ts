/// <reference lib="webworker" />
import { clientsClaim } from 'workbox-core';
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { answerSyncEvents } from './background-sync.ts';
import { serverPaths } from './server-paths.ts';

/**
 * Wiring only: the whole app is precached, and every navigation gets its shell, with or without a network.
 *
 * - A new version waits until no page uses the old one; nothing is swapped under an owner who is writing.
 * - With a connection after a time without one, it sends what waits, also when no page is open.
 * - Paths that belong to the server are never answered from here.
 */
declare const self: ServiceWorkerGlobalScope & {
  /** Written in by the build. */
  readonly __WB_MANIFEST: (PrecacheEntry | string)[];
};

answerSyncEvents(self);
clientsClaim();
cleanupOutdatedCaches();
precacheAndRoute(self.__WB_MANIFEST);
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: serverPaths }),
);
