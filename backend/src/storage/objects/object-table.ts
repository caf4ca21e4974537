import {
  afterPrefix,
  entriesUnder,
  underPrefix,
  type KeyValueStore,
} from '../../store/key-value-store.ts';
import { listPage, type ListPage, type ListQuery } from './object-list.ts';
import { filePrefix, objectPrefix, decodeObject, type StoredObject } from './stored-object.ts';

/** Reads the stored records of objects. */
export interface ObjectTable {
  get(name: string): StoredObject | null;
  list(query: ListQuery): ListPage;
  under(prefix: string): readonly StoredObject[];
  /** Whether a file is the contents of an object. */
  isUsed(fileId: string): boolean;
  size(): number;
}

export function createObjectTable(store: KeyValueStore): ObjectTable {
  const end = afterPrefix(objectPrefix);
  const firstFrom = (from: Buffer): string | undefined => {
    const start = Buffer.concat([Buffer.from(objectPrefix), from]);
    const [entry] = store.range({ start, end, limit: 1 });
    return entry?.[0].toString('utf8', objectPrefix.length);
  };
  return {
    get(name) {
      const text = store.get(objectPrefix + name);
      return text === undefined ? null : decodeObject(name, text);
    },
    list: (query) => listPage(firstFrom, query),
    under: (prefix) =>
      Array.from(entriesUnder(store, objectPrefix + prefix), ([rest, text]) =>
        decodeObject(prefix + rest, text),
      ),
    isUsed: (fileId) => store.get(filePrefix + fileId) !== undefined,
    size: () => store.count(underPrefix(objectPrefix)),
  };
}
