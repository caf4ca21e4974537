import type { Live } from './live.ts';

/** Something whose code comes later: a {@link Live} that has it once it was loaded. */
export interface LazyLive<T> extends Live<T> {
  /** Loads it now. A load that failed is tried again with the next call. */
  readonly load: () => Promise<T>;
}

/** @param whenIdle when to load for those who watch and are in no hurry. */
export function lazyLive<T>(
  start: () => Promise<T>,
  whenIdle: (run: () => void) => void,
): LazyLive<T> {
  const watchers = new Set<() => void>();
  let value: T | undefined;
  let loading: Promise<T> | null = null;

  const run = async (): Promise<T> => {
    try {
      value = await start();
    } catch (error) {
      loading = null;
      throw error;
    }
    for (const watcher of watchers) watcher();
    return value;
  };
  const load = (): Promise<T> => (loading ??= run());

  return {
    load,
    getSnapshot: () => value,
    subscribe: (onChange) => {
      watchers.add(onChange);
      if (loading === null) {
        whenIdle(() => {
          load().catch(() => undefined);
        });
      }
      return () => watchers.delete(onChange);
    },
  };
}

/** What `open` makes of something that comes later; null until it has come and said something. */
export function liveInside<T, Value>(
  outer: Live<T>,
  open: (value: T) => Live<Value>,
): Live<Value | null> {
  let inner: Live<Value> | undefined;
  const look = (): Live<Value> | undefined => {
    const value = outer.getSnapshot();
    if (value !== undefined) inner ??= open(value);
    return inner;
  };
  return {
    getSnapshot: () => look()?.getSnapshot() ?? null,
    subscribe: (onChange) => {
      let stop = look()?.subscribe(onChange);
      const stopOuter = outer.subscribe(() => {
        stop ??= look()?.subscribe(onChange);
        onChange();
      });
      return () => {
        stopOuter();
        stop?.();
      };
    },
  };
}
