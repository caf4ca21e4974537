import type { createAppRouter } from './router.ts';

/**
 * Loads the code of every screen while there is a connection. Until the worker has the app, a screen whose code is missing
 * could not be opened offline, and the router would reload the page into nothing.
 */
export async function preloadScreens(router: ReturnType<typeof createAppRouter>): Promise<void> {
  for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route);
}
