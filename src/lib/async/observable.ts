/** A value that can be read and subscribed to. */
export interface Observed<T> {
  /** Returns the newest value. It is the same object until it changes. */
  readonly getSnapshot: () => T;
  /** @returns a function that unsubscribes. */
  readonly subscribe: (onChange: () => void) => () => void;
}

/** An observed value, for its owner. */
export interface Observable<T> extends Observed<T> {
  /** Sets the value, and calls the subscribers. */
  readonly set: (value: T) => void;
  readonly isObserved: () => boolean;
}

/**
 * Creates an observable value.
 * @param onObserved is called for the first subscriber; the function that it returns is called when the last one leaves.
 */
export function createObservable<T>(first: T, onObserved?: () => () => void): Observable<T> {
  const subscribers = new Set<() => void>();
  let value = first;
  let stop: (() => void) | undefined;
  return {
    getSnapshot: () => value,
    subscribe: (onChange) => {
      subscribers.add(onChange);
      if (subscribers.size === 1) stop = onObserved?.();
      return () => {
        if (!subscribers.delete(onChange) || subscribers.size > 0) return;
        stop?.();
      };
    },
    set: (next) => {
      value = next;
      for (const onChange of subscribers) onChange();
    },
    isObserved: () => subscribers.size > 0,
  };
}
