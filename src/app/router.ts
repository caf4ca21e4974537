import { createRouter, type RouterHistory } from '@tanstack/react-router';
import type { createStore } from 'jotai';
import type { Log } from '../../replication/ports.ts';
import { lazyPart } from '../lib/react/lazy-part.tsx';
import { authStateAtom } from '../platform/auth/session.ts';
import { routeTree } from '../routeTree.gen.ts';

export interface AppRouterOptions {
  readonly store: ReturnType<typeof createStore>;
  readonly log: Log;
  /** The browser's, if it is not given. */
  readonly history?: RouterHistory;
}

const routeError = lazyPart(
  async () => (await import('../features/shell/route-error.tsx')).RouteError,
);
const routeNotFound = lazyPart(
  async () => (await import('../features/shell/route-error.tsx')).RouteNotFound,
);

function reasonOf(error: unknown): string {
  if (error instanceof Response) return String(error.status);
  return error instanceof Error ? error.name : 'unknown';
}

/** A path that cannot be decoded is none of ours, and leads to the start like any other; the router would give up on it. */
function withoutMalformedPath({ url }: { readonly url: URL }): URL {
  try {
    decodeURIComponent(url.pathname);
  } catch {
    url.pathname = '/';
  }
  return url;
}

/**
 * The wrapper of iOS serves the page under `capacitor://localhost`. URLs of such a scheme have no origin, so the router would
 * take each address of the app for one of another site; it resolves them against this one instead, and keeps the path.
 */
function resolvedOrigin(): string {
  return /^https?:/.test(location.origin) ? location.origin : 'https://localhost';
}

export function createAppRouter({ store, log, history }: AppRouterOptions) {
  const router = createRouter({
    routeTree,
    context: { store },
    rewrite: { input: withoutMalformedPath },
    origin: resolvedOrigin(),
    ...(history && { history }),
    defaultPreload: 'intent',
    /** The spec's intent delay for links, in milliseconds. */
    defaultPreloadDelay: 100,
    scrollRestoration: true,
    // If their code cannot be had either, the page of the root route stands in.
    defaultErrorComponent: routeError.Component,
    defaultNotFoundComponent: routeNotFound.Component,
    defaultOnCatch: (error) => log('page-failed', { reason: reasonOf(error) }),
  });
  // The guards of the routes look at who is signed in: they are asked again when that changes.
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
