import type { Page } from 'playwright/test';

/**
 * Who looks at it: nobody signed in, an owner of two dogs with journals, one who has just registered, one with more of
 * everything, somebody about to sign in, or somebody without a service worker.
 */
export type Viewer = 'stranger' | 'demo' | 'new' | 'full' | 'arriving' | 'workerless';

/** One page in one state, to be looked at by people and by tools. */
export interface Scene {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Brings the page from what the path shows to the state; resolves when it shows. */
  readonly prepare: (page: Page) => Promise<void>;
  /** The scene is there on a desk only. */
  readonly isWide?: true;
}

export const of =
  (viewer: Viewer) =>
  (name: string, path: string, prepare: Scene['prepare']): Scene => ({
    name,
    viewer,
    path,
    prepare,
  });
