import type { Live } from './live.ts';

/** A service whose code loads later, and a {@link Live} of it. */
export interface LazyService<T> extends Live<T> {
  /** Loads the service now, or returns the loaded one. A call after a failed load retries. */
  readonly load: () => Promise<T>;
}

/** Creates a lazy service. @param whenIdle schedules the load for subscribers; without it they load nothing. */
export function lazyService<T>(
  start: () => Promise<T>,
  whenIdle: (run: () => void) => void = () => undefined,
): LazyService<T> {
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

/** Returns the {@link Live} that `open` makes of a lazy service; its snapshot is null until both have a value. */
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
