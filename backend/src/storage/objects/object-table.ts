import type { KeyValueStore } from '../../store/key-value-store.ts';
import { listPage, type ListPage, type ListQuery } from './object-list.ts';
import { OBJECT_PREFIX, decodeObject, type StoredObject } from './stored-object.ts';

/** The records of all objects, in memory; changed only after the store has them. */
export interface ObjectTable {
  get(name: string): StoredObject | null;
  set(object: StoredObject): void;
  remove(name: string): void;
  list(query: ListQuery): ListPage;
  under(prefix: string): readonly StoredObject[];
  values(): Iterable<StoredObject>;
  size(): number;
}

export async function loadObjectTable(store: KeyValueStore): Promise<ObjectTable> {
  const objects = new Map<string, StoredObject>();
  let sorted: readonly string[] | null = null;
  for await (const [key, text] of store.entries(OBJECT_PREFIX)) {
    const name = key.slice(OBJECT_PREFIX.length);
    objects.set(name, decodeObject(name, text));
  }
  const names = () => (sorted ??= [...objects.keys()].toSorted());
  return {
    get: (name) => objects.get(name) ?? null,
    set(object) {
      if (!objects.has(object.name)) sorted = null;
      objects.set(object.name, object);
    },
    remove(name) {
      if (objects.delete(name)) sorted = null;
    },
    list: (query) => listPage(names(), query),
    under: (prefix) => [...objects.values()].filter(({ name }) => name.startsWith(prefix)),
    values: () => objects.values(),
    size: () => objects.size,
  };
}
