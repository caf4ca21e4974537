import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

export interface LazyPart<Props> {
  readonly Component: LazyExoticComponent<ComponentType<Props>>;
  /** Starts loading when the owner is about to need it. A failure shows when it is opened. */
  readonly preload: () => void;
}

/** A part of a page whose code comes with its first use. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  return {
    Component: lazy(async () => ({ default: await load() })),
    preload: () => {
      load().catch(() => undefined);
    },
  };
}
