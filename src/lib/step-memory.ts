/** The part of a router's history that names its current entry. */
interface History {
  readonly location: { readonly state: { readonly __TSR_key?: string | undefined } };
}

/**
 * Returns the key of the current history entry, which differs even between entries of the same address. During a
 * navigation, the history is already at the next entry.
 */
export function stepKeyOf({ location }: History): string {
  // oxlint-disable-next-line no-underscore-dangle
  return location.state.__TSR_key ?? '';
}

/** Values by history entry: the state in which a page was left there. */
export interface StepMemory<T> {
  readonly get: (data: object, key: string) => T | undefined;
  readonly set: (data: object, key: string, value: T) => void;
  readonly forget: (data: object, key: string) => void;
  readonly all: (data: object) => Iterable<T>;
}

const keptMax = 9;

/**
 * Creates a memory of history entries.
 *
 * - It belongs to the open data of an owner (`data`, the same object while it is open), so a sign-out drops it.
 * - Only the last few values are kept; the one that was set least recently is evicted.
 */
export function createStepMemory<T>(): StepMemory<T> {
  const ofData = new WeakMap<object, Map<string, T>>();
  return {
    get: (data, key) => ofData.get(data)?.get(key),
    set: (data, key, value) => {
      const values = ofData.get(data) ?? new Map<string, T>();
      ofData.set(data, values);
      values.delete(key);
      values.set(key, value);
      const [oldest = ''] = values.keys();
      if (values.size > keptMax) values.delete(oldest);
    },
    forget: (data, key) => {
      ofData.get(data)?.delete(key);
    },
    all: (data) => ofData.get(data)?.values() ?? [],
  };
}
