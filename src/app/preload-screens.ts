import type { createAppRouter } from './router.ts';

/**
 * Loads the code of every screen while there is a connection. Until the worker has the app, a screen whose code is missing
 * could not be opened offline, and the router would reload the page into nothing. A page that came from the worker gets
 * it from there, when it is needed.
 */
export async function preloadScreens(router: ReturnType<typeof createAppRouter>): Promise<void> {
  if (navigator.serviceWorker?.controller) return;
  for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route);
}
