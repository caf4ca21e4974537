import {
  afterPrefix,
  entriesUnder,
  underPrefix,
  type KeyRange,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { entryKey, shapeId, type IndexShape } from '../query/index-range.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { collectionIdOf, type DatabaseNames } from '../values/resource-path.ts';
import { boundedKey, groupKey } from './document-keys.ts';
import { decodeRecord } from './document-record.ts';

export interface IndexTableDeps {
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  /** The indexes that there are to be. */
  readonly indexes: readonly IndexShape[];
  /** Returns the reason to refuse writes that make the store grow; null while there is room. */
  readonly shortage: () => string | null;
  readonly onStorageFailure: (error: unknown) => void;
}

export type IndexTable = Awaited<ReturnType<typeof openIndexTable>>;

interface Index {
  readonly number: number;
  readonly shape: IndexShape;
}

const recordPrefix = 'fs/x/';
const allEntries = underPrefix('fs/i/');
/** A larger write could need more room than the store spares for removals on a full disk. */
const operationsPerWrite = 500;

/**
 * Opens the indexes before anybody reads or writes documents: makes those that are new, and removes those that are no longer
 * asked for.
 *
 * - An index is complete once the disk has its record, and every commit updates it from then on. Entries without a record
 *   are of an index that is no longer asked for, or whose making was interrupted, and are removed.
 * - An index that cannot be made or removed, because the disk is full or a document cannot be read, is made or removed by a
 *   later start.
 */
export async function openIndexTable(deps: IndexTableDeps) {
  const { store, names, shortage, onStorageFailure } = deps;
  const asked = new Map(deps.indexes.map((shape) => [shapeId(shape), shape]));
  /** The indexes with a record, by the id of their shape. */
  const complete = new Map<string, Index>();
  /** The removals of the records of other indexes, which are not updated: no commit may leave them on the disk. */
  const removals: StoreOperation[] = [];
  for (const [number, id] of entriesUnder(store, recordPrefix)) {
    const shape = asked.get(id);
    if (shape === undefined) removals.push({ type: 'del', key: recordPrefix + number });
    else complete.set(id, { number: Number(number), shape });
  }

  const removeEntries = async (range: KeyRange) => {
    for (;;) {
      const keys = Array.from(store.range({ ...range, limit: operationsPerWrite }), ([key]) => key);
      if (keys.length === 0) return;
      await store.write(keys.map((key) => ({ type: 'del', key })));
    }
  };

  const removeOthers = async () => {
    if (removals.length > 0) await store.write(removals);
    removals.length = 0;
    let { start } = allEntries;
    for (const index of [...complete.values()].toSorted(
      (one, other) => one.number - other.number,
    )) {
      await removeEntries({ start, end: entriesPrefix(index) });
      start = afterPrefix(entriesPrefix(index));
    }
    await removeEntries({ start, end: allEntries.end });
  };

  const make = async (index: Index) => {
    const source = store.snapshot();
    try {
      const id = shapeId(index.shape);
      const operations: StoreOperation[] = [];
      const documents = underPrefix(groupKey('documents', index.shape.collectionId));
      for (const [, text] of source.range(documents)) {
        const document = decodeRecord(text, names);
        const key = keyOf(index, document);
        if (key !== undefined) operations.push({ type: 'put', key, value: document.path });
        if (operations.length === operationsPerWrite) await store.write(operations.splice(0));
      }
      await store.write([
        ...operations,
        { type: 'put', key: recordPrefix + index.number, value: id },
      ]);
      complete.set(id, index);
    } finally {
      source.release();
    }
  };

  try {
    await removeOthers();
    let last = Math.max(0, ...[...complete.values()].map(({ number }) => number));
    for (const [id, shape] of asked) {
      if (complete.has(id) || shortage() !== null) continue;
      last++;
      await make({ number: last, shape }).catch(onStorageFailure);
    }
  } catch (error) {
    onStorageFailure(error);
  }

  return {
    /** Returns the prefix of the keys of an index; undefined when there is none. */
    find(shape: IndexShape): Buffer | undefined {
      const index = complete.get(shapeId(shape));
      return index && entriesPrefix(index);
    },
    /** Returns the operations that update all indexes when a document changes. */
    operations({ path, before, after }: DocumentChange): readonly StoreOperation[] {
      const operations = [...removals];
      const collectionId = collectionIdOf(path);
      for (const index of complete.values()) {
        if (index.shape.collectionId !== collectionId) continue;
        const [former, key] = [keyOf(index, before), keyOf(index, after)];
        if (former !== undefined && key?.equals(former) === true) continue;
        if (former !== undefined) operations.push({ type: 'del', key: former });
        if (key !== undefined) operations.push({ type: 'put', key, value: path });
      }
      return operations;
    },
  };
}

const entriesPrefix = ({ number }: Index): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes.write('fs/i/');
  bytes.writeUInt32BE(number, 5);
  return bytes;
};

/** Returns the key of the entry of a document; undefined when it has none. */
function keyOf(index: Index, document: StoredDocument | null): Buffer | undefined {
  const rest = document === null ? undefined : entryKey(index.shape, document);
  return rest && document ? boundedKey(document.path, entriesPrefix(index), rest) : undefined;
}
