import { createRouter } from '@tanstack/react-router';
import type { createStore } from 'jotai';
import { authStateAtom } from '../platform/session.ts';
import { routeTree } from '../routeTree.gen.ts';

export function createAppRouter(store: ReturnType<typeof createStore>) {
  const router = createRouter({
    routeTree,
    context: { store },
    defaultPreload: 'intent',
    /** The spec's intent delay for links, in milliseconds. */
    defaultPreloadDelay: 100,
    scrollRestoration: true,
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
