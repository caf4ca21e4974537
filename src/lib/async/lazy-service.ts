import type { Live } from './live.ts';
import { createObservable } from './observable.ts';

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
  const loaded = createObservable<T | undefined>(undefined);
  let loading: Promise<T> | null = null;

  const run = async (): Promise<T> => {
    try {
      const value = await start();
      loaded.set(value);
      return value;
    } catch (error) {
      loading = null;
      throw error;
    }
  };
  const load = (): Promise<T> => (loading ??= run());

  return {
    load,
    getSnapshot: loaded.getSnapshot,
    subscribe: (onChange) => {
      const unsubscribe = loaded.subscribe(onChange);
      if (loading === null) {
        whenIdle(() => {
          load().catch(() => undefined);
        });
      }
      return unsubscribe;
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
