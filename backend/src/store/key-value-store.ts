/**
 * - Reads are synchronous and see the version that the last durable write has published. All reads until
 *   the next `await` see the same version.
 * - `write` is atomic. It is durable before it is visible, even across a power failure; a failed write has
 *   changed nothing. Writes take effect in the order of the calls.
 * - Keys are ordered by their bytes; text keys are encoded in UTF-8.
 */
export interface KeyValueStore {
  get(key: Key): string | undefined;
  /**
   * A reader that stops early returns the iterator, as `for` does: otherwise it keeps its version until the store is
   * closed.
   */
  range(range: KeyRange): Iterable<Entry>;
  /** Returns the number of keys in a range, without reading their values. */
  count(range: KeyRange): number;
  /** @param onPublished is called when reads begin to see the write. */
  write(operations: readonly StoreOperation[], onPublished?: () => void): Promise<void>;
  /**
   * Opens a view that stays at the published version until it is released. Meanwhile old pages of the disk cannot be
   * reused. When the store is closed its reads throw `closed`, also those of a range in progress.
   */
  snapshot(): Snapshot;
  clear(): Promise<void>;
  /** Whether the disk has room for little more than deletions, as the last write found. */
  isShort(): boolean;
  close(): Promise<void>;
}

export interface Snapshot extends Pick<KeyValueStore, 'get' | 'range' | 'count'> {
  release(): void;
}

export type Key = string | Uint8Array;

/** A range of keys from `start` (inclusive) to `end` (exclusive). */
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
  /** Adds to the number at the key; a missing key counts as zero, and zero is not stored. */
  | { readonly type: 'add'; readonly key: Key; readonly amount: number };

export const maxKeyBytes = 1978;

/**
 * An error of the store. `failed` concerns one write, `broken` also all later ones, until the store is reopened; `closed`
 * means a read or write after the store was closed.
 */
export class StoreError extends Error {
  readonly code: 'locked' | 'unusable' | 'failed' | 'broken' | 'closed';

  constructor(code: StoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export const toKey = (key: Key): Buffer => Buffer.from(key);

/** Returns the first key after all keys with the prefix. */
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

/** Yields the rest of each text key after the prefix, with its value. */
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

export type Put = Exclude<StoreOperation, { type: 'add' }>;

/** Converts additions to puts and deletes; `get` reads the state before the operations. */
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
