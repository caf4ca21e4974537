import type { createStore } from 'jotai';

/** The values that routes get from the composition root. */
export interface RouterContext {
  readonly store: ReturnType<typeof createStore>;
}
