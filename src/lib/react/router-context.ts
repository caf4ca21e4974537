import type { createStore } from 'jotai';

/** What routes get from the composition root. */
export interface RouterContext {
  readonly store: ReturnType<typeof createStore>;
}
