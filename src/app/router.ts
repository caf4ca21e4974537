import { createRouter } from '@tanstack/react-router';
import type { createStore } from 'jotai';
import { routeTree } from '../routeTree.gen.ts';

export function createAppRouter(store: ReturnType<typeof createStore>) {
  return createRouter({
    routeTree,
    context: { store },
    defaultPreload: 'intent',
    /** The spec's intent delay for links, in milliseconds. */
    defaultPreloadDelay: 100,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
