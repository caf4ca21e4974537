import type { Page } from 'playwright/test';

/** Who looks at it: nobody signed in, an owner of two dogs with journals, or one who has just registered. */
export type Viewer = 'stranger' | 'demo' | 'new';

/** One page in one state, to be looked at by people and by tools. */
export interface Scene {
  readonly name: string;
  readonly viewer: Viewer;
  readonly path: string;
  /** Brings the page from what the path shows to the state; resolves when it shows. */
  readonly prepare: (page: Page) => Promise<void>;
}
