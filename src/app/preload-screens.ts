/**
 * Loads the code of every screen while there is a connection. Until the worker has cached the app, a screen whose code
 * is missing could not be opened offline, and the router would reload the page into an error. A page that came from the
 * worker loads the code from its cache when it is needed.
 */
export async function preloadScreens<Route>(
  routes: readonly Route[],
  load: (route: Route) => Promise<unknown> | undefined,
): Promise<void> {
  if (navigator.serviceWorker?.controller) return;
  for (const route of routes) await load(route);
}
