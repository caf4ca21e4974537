import type { Live } from '../../../src/lib/async/live.ts';

/** A {@link Live} that a test sets. */
export interface Cell<T> extends Live<T> {
  readonly getSnapshot: () => T;
  readonly set: (value: T) => void;
}

export function cell<T>(initial: T): Cell<T> {
  let value = initial;
  const watchers = new Set<() => void>();
  return {
    getSnapshot: () => value,
    subscribe: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    set: (next) => {
      value = next;
      for (const watcher of watchers) watcher();
    },
  };
}
