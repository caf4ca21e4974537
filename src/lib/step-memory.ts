interface StepState {
  readonly __TSR_key?: string | undefined;
  /** The key of the entry that this one has replaced and continues. */
  readonly stepKey?: string | undefined;
}

/** The part of a router's history that names its current entry. */
interface History {
  readonly location: { readonly state: StepState };
}

/**
 * Returns the key of the current history entry, which differs even between entries of the same address. During a
 * navigation, the history is already at the next entry.
 */
export function stepKeyOf({ location: { state } }: History): string {
  // oxlint-disable-next-line no-underscore-dangle
  return state.stepKey ?? state.__TSR_key ?? '';
}

/** Values by history entry: the state in which a page was left there. */
export interface StepMemory<T> {
  readonly get: (visit: object, key: string) => T | undefined;
  readonly set: (visit: object, key: string, value: T) => void;
  readonly forget: (visit: object, key: string) => void;
  readonly all: (visit: object) => Iterable<T>;
}

const keptMax = 9;

/**
 * Creates a memory of history entries.
 *
 * - It belongs to the visit of an owner (an object that lives until they leave), so a sign-out drops it.
 * - Only the last few values are kept; the one that was set least recently is evicted.
 */
export function createStepMemory<T>(): StepMemory<T> {
  const ofVisit = new WeakMap<object, Map<string, T>>();
  return {
    get: (visit, key) => ofVisit.get(visit)?.get(key),
    set: (visit, key, value) => {
      const values = ofVisit.get(visit) ?? new Map<string, T>();
      ofVisit.set(visit, values);
      values.delete(key);
      values.set(key, value);
      const [oldest = ''] = values.keys();
      if (values.size > keptMax) values.delete(oldest);
    },
    forget: (visit, key) => {
      ofVisit.get(visit)?.delete(key);
    },
    all: (visit) => ofVisit.get(visit)?.values() ?? [],
  };
}
