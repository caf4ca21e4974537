import type { Page } from 'playwright/test';

/**
 * The person who views a scene: a signed-out visitor, the demo owner of two dogs with journals, an owner who has just
 * registered, an owner with much data, a visitor about to sign in, or the demo owner without a service worker.
 */
export type Viewer = 'stranger' | 'demo' | 'new' | 'full' | 'arriving' | 'workerless';

/** One page in one state, for people and tools to inspect. */
export interface Scene {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Brings the page from the path's first view to the state; resolves when the state is visible. */
  readonly prepare: (page: Page) => Promise<void>;
  /** Whether the scene exists in wide windows only. */
  readonly isWide?: true;
  /** Whether its preparation adds a script to the page, which cannot be removed again. */
  readonly addsScript?: true;
}

export const of =
  (viewer: Viewer) =>
  (name: string, path: string, prepare: Scene['prepare']): Scene => ({
    name,
    viewer,
    path,
    prepare,
  });
