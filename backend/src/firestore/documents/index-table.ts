import * as v from 'valibot';
import { createSliceMeter } from '../../limits/slices.ts';
import {
  afterPrefix,
  entriesUnder,
  underPrefix,
  type KeyRange,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { entryKey, shapeId, type IndexShape } from '../query/index-range.ts';
import { FirestoreError } from '../firestore-error.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { parseFieldPath } from '../values/field-path.ts';
import { collectionIdOf, type DatabaseNames } from '../values/resource-path.ts';
import { boundedKey, groupKey } from './document-keys.ts';
import { decodeRecord } from './document-record.ts';

export interface Slice {
  readonly operations: readonly StoreOperation[];
  published(): void;
  failed(): void;
}

interface Index {
  readonly number: number;
  readonly shape: IndexShape;
  /** The key of the document at which building continues; null when the index is complete. */
  next: Buffer | null;
  /** Whether work on it stopped after a disk failure; it continues when the index is needed, or another is evicted. */
  isStalled: boolean;
  /** The user whose query needed it first; null without a sign-in, and after a restart. */
  readonly user: string | null;
  waiting: (() => void)[];
}

const IndexRecord = v.object({
  collectionId: v.string(),
  isGroup: v.boolean(),
  equalities: v.array(v.string()),
  orderBy: v.array(v.tuple([v.string(), v.boolean()])),
  next: v.nullable(v.string()),
  isDropped: v.boolean(),
});

const maxPerGroup = 32;
const maxIndexes = 256;
/** The most indexes that are being built at once. */
const maxUnfinished = 64;
const maxUnfinishedOfUser = 4;
/** The number of documents that one counts as when an index is made of it. */
const indexedDocumentWeight = 2;
const sliceRemovals = 1000;
const prefix = 'fs/x/';

export interface IndexTableDeps {
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  /** Called when there is a slice to store. */
  readonly onWork: () => void;
  /** Returns the reason to refuse writes that make the store grow; null while there is room. */
  readonly shortage: () => string | null;
}

export type IndexTable = ReturnType<typeof createIndexTable>;

/**
 * - An index is built when its shape is first needed, in slices that are written with the commits, and every commit updates
 *   it from then on. Indexes and the progress of building them survive restarts.
 * - A slice is read from the published version while no commit is in flight, and written before the commits of its
 *   group, so an entry is never older than its document.
 * - Few indexes are built for one user at a time, so that users do not wait for all indexes of another one.
 * - It evicts the least recently used indexes above the limits, in slices as well.
 * - Commits update exactly the indexes that the disk has a record of, so after a crash no index lacks a change, and no entry
 *   lacks an index.
 */
export function createIndexTable(deps: IndexTableDeps) {
  const { store, names, onWork, shortage } = deps;
  /** The indexes by the id of their shape, the least recently used first. */
  const indexes = new Map<string, Index>();
  /** The indexes that commits update. */
  const updated = new Set<Index>();
  /** The evicted indexes, whose entries are being removed. */
  const dropped = new Set<Index>();
  let lastNumber = 0;

  const keep = (index: Index) => void indexes.set(shapeId(index.shape), index);
  for (const [number, text] of entriesUnder(store, prefix)) {
    const { isDropped, next, ...record } = v.parse(IndexRecord, JSON.parse(text));
    const shape = {
      ...record,
      equalities: record.equalities.map(parseFieldPath),
      orderBy: record.orderBy.map(([field, isDescending]) => ({
        field: parseFieldPath(field),
        isDescending,
      })),
    };
    const index: Index = {
      number: Number(number),
      shape,
      next: next === null ? null : Buffer.from(next, 'base64'),
      isStalled: false,
      user: null,
      waiting: [],
    };
    // The number of a dropped index is not free before its entries are gone.
    lastNumber = Math.max(lastNumber, index.number);
    if (isDropped) dropped.add(index);
    else {
      updated.add(index);
      keep(index);
    }
  }

  /** Evicts the least recently used complete index if there are more than the limit. */
  const dropSurplus = (among: readonly Index[], limit: number) => {
    const index = among.find((each) => each.next === null);
    if (among.length <= limit || index === undefined) return;
    indexes.delete(shapeId(index.shape));
    dropped.add(index);
    for (const each of dropped) each.isStalled = false;
  };

  /** Returns an index and marks it as the most recently used. */
  const use = (shape: IndexShape): Index | undefined => {
    const id = shapeId(shape);
    const index = indexes.get(id);
    if (index === undefined) return undefined;
    indexes.delete(id);
    indexes.set(id, index);
    return index;
  };

  const make = (shape: IndexShape, user: string | null): Index => {
    const unfinished = [...indexes.values()].filter(
      (each) => each.next !== null && !each.isStalled,
    );
    const own = unfinished.filter((each) => each.user === user);
    if (unfinished.length >= maxUnfinished || own.length >= maxUnfinishedOfUser) {
      throw new FirestoreError(
        'RESOURCE_EXHAUSTED',
        'Too many indexes are being made. Try again later.',
      );
    }
    const next = groupKey('documents', shape.collectionId);
    const index = { number: ++lastNumber, shape, next, isStalled: false, user, waiting: [] };
    keep(index);
    const group = [...indexes.values()].filter(
      (each) => each.shape.collectionId === shape.collectionId,
    );
    dropSurplus(group, maxPerGroup);
    dropSurplus([...indexes.values()], maxIndexes);
    return index;
  };

  let isRemovalNext = false;

  const makingSlice = (index: Index, start: Buffer): Slice => {
    const isFirst = !updated.has(index);
    updated.add(index);
    const failed = () => {
      if (isFirst) updated.delete(index);
      stall(index);
    };
    const operations: StoreOperation[] = [];
    let next: Buffer | null = null;
    let isOver = false;
    const isSliceOver = createSliceMeter();
    const end = afterPrefix(groupKey('documents', index.shape.collectionId));
    try {
      for (const [key, text] of store.range({ start, end })) {
        if (isOver) {
          next = key;
          break;
        }
        isOver = isSliceOver(text.length, indexedDocumentWeight);
        const document = decodeRecord(text, names);
        const entry = keyOf(index, document);
        if (entry !== undefined) operations.push({ type: 'put', key: entry, value: document.path });
      }
    } catch (error) {
      // A document that cannot be read stops this index, and no commit.
      failed();
      throw error;
    }
    return {
      operations: [...operations, putRecord(index, next, false)],
      published() {
        index.next = next;
        if (next === null) settle(index);
      },
      failed,
    };
  };

  /** Removes some entries. From the first slice on, the record says that the index is dropped, and commits leave it alone. */
  const removalSlice = (index: Index): Slice => {
    const isFirst = updated.delete(index);
    const range: KeyRange = { ...underPrefix(entriesPrefix(index)), limit: sliceRemovals };
    const keys = Array.from(store.range(range), ([key]) => key);
    const isLast = keys.length < sliceRemovals;
    return {
      operations: [
        ...keys.map((key) => ({ type: 'del', key }) as const),
        isLast ? { type: 'del', key: prefix + index.number } : putRecord(index, null, true),
      ],
      published() {
        if (isLast) dropped.delete(index);
      },
      failed() {
        if (isFirst) updated.add(index);
        index.isStalled = true;
      },
    };
  };

  return {
    /** Returns the prefix of the keys of the index; undefined unless it is complete in a version of the store. */
    find(shape: IndexShape, version: Pick<KeyValueStore, 'get'>): Buffer | undefined {
      const index = use(shape);
      const text = index?.next === null ? version.get(prefix + index.number) : undefined;
      if (index === undefined || text === undefined) return undefined;
      const { next, isDropped } = v.parse(IndexRecord, JSON.parse(text));
      return next === null && !isDropped ? entriesPrefix(index) : undefined;
    },
    /**
     * Returns undefined when the index is complete. Otherwise resolves when it is, or when it cannot be built now.
     *
     * @throws {FirestoreError} RESOURCE_EXHAUSTED when too many are being built for the user or in total.
     */
    ensure(shape: IndexShape, user: string | null): Promise<void> | undefined {
      if (shortage() !== null) return undefined;
      const index = use(shape) ?? make(shape, user);
      if (index.next === null) return undefined;
      index.isStalled = false;
      const made = new Promise<void>((resolve) => index.waiting.push(resolve));
      onWork();
      return made;
    },
    /** Returns the operations that update all indexes when a document changes. */
    operations({ path, before, after }: DocumentChange): readonly StoreOperation[] {
      const operations: StoreOperation[] = [];
      const collectionId = collectionIdOf(path);
      for (const index of updated) {
        if (index.shape.collectionId !== collectionId) continue;
        const [former, key] = [keyOf(index, before), keyOf(index, after)];
        if (former !== undefined && key?.equals(former) === true) continue;
        if (former !== undefined) operations.push({ type: 'del', key: former });
        if (key !== undefined) operations.push({ type: 'put', key, value: path });
      }
      return operations;
    },
    /**
     * Returns the next slice of building or removing an index. They alternate, so that neither waits for the other for
     * ever. An index whose slice cannot be made is not built on.
     */
    nextSlice(): Slice | undefined {
      const removable = [...dropped].filter((each) => !each.isStalled);
      const evicted = removable.find((each) => updated.has(each));
      if (evicted !== undefined) return removalSlice(evicted);
      const [index] = removable;
      isRemovalNext = !isRemovalNext;
      if (index !== undefined && isRemovalNext) return removalSlice(index);
      for (const each of indexes.values()) {
        if (each.next === null || each.isStalled) continue;
        if (shortage() === null) return makingSlice(each, each.next);
        stall(each);
      }
      return index && removalSlice(index);
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

/** Stops building the index; queries that wait for it scan every document of their scope instead. */
function stall(index: Index): void {
  index.isStalled = true;
  settle(index);
}

function settle(index: Index): void {
  for (const resolve of index.waiting.splice(0)) resolve();
}

function putRecord(
  { number, shape }: Index,
  next: Buffer | null,
  isDropped: boolean,
): StoreOperation {
  const { collectionId, isGroup, equalities, orderBy } = shape;
  const record: v.InferInput<typeof IndexRecord> = {
    collectionId,
    isGroup,
    equalities: equalities.map((each) => each.text),
    orderBy: orderBy.map(({ field, isDescending }) => [field.text, isDescending]),
    next: next?.toString('base64') ?? null,
    isDropped,
  };
  return { type: 'put', key: prefix + number, value: JSON.stringify(record) };
}
