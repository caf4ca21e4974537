import type { Watchable } from '../../../store/file-store.ts';
import type { Live } from '../../lib/async/live.ts';
import { createObservable } from '../../lib/async/observable.ts';

/** Called when a query fails: a database that cannot be read must never look empty. */
export type OnReadError = (error: unknown) => void;

/**
 * Creates a {@link Live} over one query. It runs while there are subscribers, and keeps its last value for later ones.
 * @param toValue is called for each result; the value is compared by identity.
 */
export function liveFrom<T, Value>(
  open: () => Watchable<T>,
  toValue: (result: T) => Value,
  onError: OnReadError,
): Live<Value> {
  const live = createObservable<Value | undefined>(undefined, () => {
    const subscription = open().subscribe({
      next: (result) => live.set(toValue(result)),
      error: onError,
    });
    return () => subscription.unsubscribe();
  });
  return live;
}

type Values<Sources extends Readonly<Record<string, Live<unknown>>>> = {
  readonly [Name in keyof Sources]: Sources[Name] extends Live<infer Value> ? Value : never;
};

/** Combines several {@link Live}s: the result has a value once each of them has one, and changes with each of them. */
export function combineLive<Sources extends Readonly<Record<string, Live<unknown>>>, Value>(
  sources: Sources,
  combine: (values: Values<Sources>) => Value,
): Live<Value> {
  const names = Object.keys(sources);
  let seen: readonly unknown[] = [];
  let value: Value | undefined;

  const getSnapshot = (): Value | undefined => {
    const current = names.map((name) => sources[name]?.getSnapshot());
    if (current.includes(undefined)) return undefined;
    if (current.length !== seen.length || current.some((item, index) => item !== seen[index])) {
      seen = current;
      const entries = names.map((name, index) => [name, current[index]] as const);
      // The object has the same keys as the sources it was built from.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      value = combine(Object.fromEntries(entries) as Values<Sources>);
    }
    return value;
  };

  return {
    getSnapshot,
    subscribe: (onChange) => {
      const stops = names.map((name) => sources[name]?.subscribe(onChange));
      return () => {
        for (const stop of stops) stop?.();
      };
    },
  };
}
