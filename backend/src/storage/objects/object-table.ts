import { afterPrefix, type KeyValueStore } from '../../store/key-value-store.ts';
import { listPage, type ListQuery } from './object-list.ts';
import { filePrefix, objectPrefix, decodeObject, type StoredObject } from './stored-object.ts';

export type ObjectTable = ReturnType<typeof createObjectTable>;

/** Reads the stored records of objects. */
export function createObjectTable(store: KeyValueStore) {
  const end = afterPrefix(objectPrefix);
  const firstFrom = (from: Buffer): string | undefined => {
    const start = Buffer.concat([Buffer.from(objectPrefix), from]);
    const [entry] = store.range({ start, end, limit: 1 });
    return entry?.[0].toString('utf8', objectPrefix.length);
  };
  const get = (name: string): StoredObject | null => {
    const text = store.get(objectPrefix + name);
    return text === undefined ? null : decodeObject(name, text);
  };
  return {
    get,
    list: (query: ListQuery) => listPage(firstFrom, query),
    /** Returns the object whose contents are the file. */
    ofFile(fileId: string) {
      const name = store.get(filePrefix + fileId);
      return name === undefined ? null : get(name);
    },
  };
}
