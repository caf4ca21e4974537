import type { KeyValueStore, StoreOperation } from '../../../src/store/key-value-store.ts';

export interface MemoryStore extends KeyValueStore {
  readonly content: Map<string, string>;
  /** One entry per durable write. */
  readonly durableWrites: (readonly StoreOperation[])[];
  /** Until released, durable writes wait, as a slow disk would make them. */
  hold(): { release(): void };
  /** All further durable writes are rejected. */
  fail(): void;
}

export function createMemoryStore(): MemoryStore {
  const content = new Map<string, string>();
  const durableWrites: (readonly StoreOperation[])[] = [];
  let gate: Promise<void> = Promise.resolve();
  let isFailing = false;

  const apply = (operations: readonly StoreOperation[]) => {
    for (const each of operations) {
      if (each.type === 'put') content.set(each.key, each.value);
      else content.delete(each.key);
    }
  };

  return {
    content,
    durableWrites,
    hold() {
      const releases: (() => void)[] = [];
      gate = new Promise((resolve) => releases.push(resolve));
      return { release: () => releases.forEach((each) => each()) };
    },
    fail() {
      isFailing = true;
    },
    get: (key) => Promise.resolve(content.get(key)),
    async *entries(prefix) {
      const found = [...content].filter(([key]) => key.startsWith(prefix));
      for (const entry of found.toSorted(([a], [b]) => (a < b ? -1 : 1))) yield entry;
    },
    async write(operations, options = { durable: true }) {
      if (!options.durable) return apply(operations);
      await gate;
      if (isFailing) throw new Error('The disk is full.');
      durableWrites.push(operations);
      return apply(operations);
    },
    async clear() {
      content.clear();
    },
    async close() {},
  };
}
