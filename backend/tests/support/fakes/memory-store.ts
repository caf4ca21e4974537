import {
  StoreError,
  resolveAdditions,
  toKey,
  type Entry,
  type Key,
  type KeyRange,
  type KeyValueStore,
  type StoreOperation,
} from '../../../src/store/key-value-store.ts';

export interface MemoryStore extends KeyValueStore {
  /** The values by key, with one character per byte of the key. */
  readonly content: Map<string, string>;
  /** One entry per write. */
  readonly writes: (readonly StoreOperation[])[];
  /** Makes writes wait until released, like a slow disk. */
  hold(): { release(): void };
  /** Makes writes fail until called with false. */
  fail(isFailing?: boolean): void;
}

const textOf = (key: Key): string => toKey(key).toString('latin1');

export function createMemoryStore(content = new Map<string, string>()): MemoryStore {
  const writes: (readonly StoreOperation[])[] = [];
  let gate: Promise<void> = Promise.resolve();
  let isFailing = false;
  let sorted: readonly string[] | null = null;
  let last: Promise<void> = Promise.resolve();
  const get = (key: Key) => content.get(textOf(key));

  const keysIn = ({ start, end, isReverse = false, limit = Infinity }: KeyRange) => {
    if (sorted?.length !== content.size) sorted = null;
    sorted ??= [...content.keys()].toSorted();
    const from = firstAtOrAfter(sorted, textOf(start));
    const keys = sorted.slice(from, Math.max(from, firstAtOrAfter(sorted, textOf(end))));
    return (isReverse ? keys.toReversed() : keys).slice(0, limit);
  };
  const entriesIn = (range: KeyRange) =>
    keysIn(range).map((key): Entry => [Buffer.from(key, 'latin1'), content.get(key) ?? '']);
  const apply = (operations: readonly StoreOperation[]) => {
    sorted = null;
    for (const each of resolveAdditions(operations, get)) {
      if (each.type === 'put') content.set(textOf(each.key), each.value);
      else content.delete(textOf(each.key));
    }
  };
  const write = async (operations: readonly StoreOperation[], onPublished?: () => void) => {
    await gate;
    if (isFailing) throw new StoreError('failed', 'The disk is full.');
    writes.push(operations);
    apply(operations);
    onPublished?.();
  };

  return {
    isShort: () => false,
    content,
    writes,
    hold() {
      const releases: (() => void)[] = [];
      gate = new Promise((resolve) => releases.push(resolve));
      return { release: () => releases.forEach((each) => each()) };
    },
    fail(isFailingNow = true) {
      isFailing = isFailingNow;
    },
    get,
    range: entriesIn,
    snapshot() {
      return { ...createMemoryStore(new Map(content)), release: () => undefined };
    },
    count: (range) => keysIn(range).length,
    write(operations, onPublished) {
      const written = last.then(() => write(operations, onPublished));
      last = written.catch(() => undefined);
      return written;
    },
    async clear() {
      content.clear();
    },
    async close() {},
  };
}

/** Returns the index of the first key that is equal or greater, in a sorted list. */
function firstAtOrAfter(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
