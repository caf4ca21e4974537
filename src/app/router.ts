import { createRouter, stringifySearchWith, type RouterHistory } from '@tanstack/react-router';
import type { createStore } from 'jotai';
import type { Log } from '../../replication/ports.ts';
import { lazyPart } from '../lib/react/lazy-part.tsx';
import { authStateAtom } from '../platform/auth/session.ts';
import { routeTree } from '../routeTree.gen.ts';

export interface AppRouterOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly log: Log;
  /** The history; the browser's by default. */
  readonly history?: RouterHistory;
}

const routeError = lazyPart(
  async () => (await import('../features/shell/route-error.lazy.tsx')).RouteError,
);
const routeNotFound = lazyPart(
  async () => (await import('../features/shell/route-error.lazy.tsx')).RouteNotFound,
);

function reasonOf(error: unknown): string {
  if (error instanceof Response) return String(error.status);
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Parses each parameter as a text. The router's own parser takes it for JSON, which would change digits, remove quotes and
 * make "true" a boolean.
 */
function parseSearch(search: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Replaces a path that cannot be decoded by the start. The router would throw on it. */
function withoutMalformedPath({ url }: { readonly url: URL }): URL {
  try {
    // The build drops a call whose result is not used.
    if (decodeURIComponent(url.pathname) !== '') return url;
  } catch {
    url.pathname = '/';
  }
  return url;
}

/**
 * The wrapper of iOS serves the page under `capacitor://localhost`. URLs of such a scheme have no origin, so the router
 * would take each address of the app for one of another site. It resolves them against this origin instead, and keeps
 * the path.
 */
function resolvedOrigin(): string {
  return /^https?:/.test(location.origin) ? location.origin : 'https://localhost';
}

export function createAppRouter({ store, log, history }: AppRouterOptions) {
  const router = createRouter({
    routeTree,
    context: { store },
    rewrite: { input: withoutMalformedPath },
    parseSearch,
    stringifySearch: stringifySearchWith(String),
    origin: resolvedOrigin(),
    ...(history && { history }),
    defaultPreload: 'intent',
    /** The delay between the intent to follow a link and its preload, in milliseconds, as the specification sets it. */
    defaultPreloadDelay: 100,
    scrollRestoration: true,
    // If the code of this page cannot be loaded either, the error page of the root route replaces it.
    defaultErrorComponent: routeError.Component,
    defaultNotFoundComponent: routeNotFound.Component,
    defaultOnCatch: (error) => log('page-failed', { reason: reasonOf(error) }),
  });
  // The guards of the routes depend on the signed-in user, so they run again when that changes.
  const owner = () => {
    const { user, initialized } = store.get(authStateAtom);
    return initialized ? (user?.uid ?? '') : null;
  };
  let guardedFor = owner();
  store.sub(authStateAtom, () => {
    if (owner() === guardedFor) return;
    guardedFor = owner();
    void router.invalidate();
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
