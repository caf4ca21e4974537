/**
 * - Reads are synchronous and of one version: the one that the last durable write has published. Whatever is read until
 *   the next `await` is of the same version.
 * - `write` is atomic. It is on the disk before anybody reads it, also after a loss of power; a write that fails has
 *   changed nothing. Writes take effect in the order they were asked for.
 * - Keys are ordered by their bytes; text is a key by its UTF-8.
 */
export interface KeyValueStore {
  get(key: Key): string | undefined;
  range(range: KeyRange): Iterable<Entry>;
  /** How many keys a range has, without reading their values. */
  count(range: KeyRange): number;
  /** @param onPublished is called in the moment from which on reads see the write. */
  write(operations: readonly StoreOperation[], onPublished?: () => void): Promise<void>;
  /**
   * The published version, whatever is written until it is released. It keeps the disk from using old pages again. When
   * the store is closed it must have been released.
   */
  snapshot(): Snapshot;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface Snapshot extends Pick<KeyValueStore, 'get' | 'range' | 'count'> {
  release(): void;
}

export type Key = string | Uint8Array;

/** From the first key to the one before `end`. */
export interface KeyRange {
  readonly start: Key;
  readonly end: Key;
  readonly isReverse?: boolean;
  readonly limit?: number;
}

export type Entry = readonly [key: Buffer, value: string];

export type StoreOperation =
  | { readonly type: 'put'; readonly key: Key; readonly value: string }
  | { readonly type: 'del'; readonly key: Key }
  /** Adds to the number that the key holds; a missing key holds zero, and zero is not stored. */
  | { readonly type: 'add'; readonly key: Key; readonly amount: number };

export const MAX_KEY_BYTES = 1978;

/**
 * `failed` is an outcome of one write, `broken` of all that follow: the store has to be opened again.
 */
export class StoreError extends Error {
  readonly code: 'locked' | 'unusable' | 'failed' | 'broken';

  constructor(code: StoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export const toKey = (key: Key): Buffer => Buffer.from(key);

/** The first key after all keys of the prefix. */
export function afterPrefix(prefix: Key): Buffer {
  const bytes = toKey(prefix);
  let last = bytes.length - 1;
  while (bytes[last] === 0xff) last--;
  const after = Buffer.from(bytes.subarray(0, last + 1));
  after[last] = (after[last] ?? 0) + 1;
  return after;
}

export const underPrefix = (prefix: Key): KeyRange => ({
  start: prefix,
  end: afterPrefix(prefix),
});

/** The rest of each key of text after the prefix, with its value. */
export function* entriesUnder(
  store: Pick<KeyValueStore, 'range'>,
  prefix: string,
): Generator<readonly [rest: string, value: string]> {
  const length = Buffer.byteLength(prefix);
  for (const [key, value] of store.range(underPrefix(prefix))) {
    yield [key.toString('utf8', length), value];
  }
}

export const numberAt = (store: Pick<KeyValueStore, 'get'>, key: Key): number =>
  Number(store.get(key) ?? 0);

type Put = Exclude<StoreOperation, { type: 'add' }>;

/** Turns additions into puts and deletes; `get` reads what is stored before the operations. */
export function resolveAdditions(
  operations: readonly StoreOperation[],
  get: (key: Key) => string | undefined,
): readonly Put[] {
  const sums = new Map<string, { readonly key: Key; sum: number }>();
  const resolved: Put[] = [];
  for (const each of operations) {
    if (each.type !== 'add') resolved.push(each);
    else {
      const id = toKey(each.key).toString('latin1');
      const known = sums.get(id) ?? { key: each.key, sum: Number(get(each.key) ?? 0) };
      sums.set(id, known);
      known.sum += each.amount;
    }
  }
  for (const { key, sum } of sums.values()) {
    resolved.push(sum === 0 ? { type: 'del', key } : { type: 'put', key, value: String(sum) });
  }
  return resolved;
}
