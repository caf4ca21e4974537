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
  /** The user whose query needed it first, who is charged for it; null without a sign-in, and of a declared index. */
  readonly user: string | null;
  readonly isDeclared: boolean;
  usedMs: number;
  waiting: (() => void)[];
}

const IndexRecord = v.object({
  collectionId: v.string(),
  isGroup: v.boolean(),
  equalities: v.array(v.string()),
  orderBy: v.array(v.tuple([v.string(), v.boolean()])),
  next: v.nullable(v.string()),
  isDropped: v.boolean(),
  user: v.optional(v.nullable(v.string()), null),
});

const maxPerGroup = 32;
const maxIndexes = 256;
const maxUnfinishedOfUser = 4;
/** After so long without use, an index is evicted for anybody. */
const unusedMs = 3_600_000;
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
  readonly nowMs: () => number;
  /** Whether the index is one of a fixed number that the server is there for. */
  readonly isDeclared?: ((shape: IndexShape) => boolean) | undefined;
  /** Runs work and charges it to the user. */
  readonly measure?: <Result>(user: string, work: () => Result) => Result;
}

export type IndexTable = ReturnType<typeof createIndexTable>;

/**
 * - An index is built when its shape is first needed, in slices that are written with the commits, and every commit updates
 *   it from then on. Indexes and the progress of building them survive restarts.
 * - A slice is read from the published version while no commit is in flight, and written before the commits of its
 *   group, so an entry is never older than its document.
 * - Few indexes are built for one user at a time, who is charged for them, and users take turns.
 * - Above the limits, the user who has most indexes gives up the least recently used one, for a user who has fewer. It is
 *   removed in slices as well.
 * - Declared indexes are built before others, and are neither limited nor evicted.
 * - Commits update exactly the indexes that the disk has a record of, so after a crash no index lacks a change, and no entry
 *   lacks an index.
 */
export function createIndexTable(deps: IndexTableDeps) {
  const { store, names, onWork, shortage, nowMs } = deps;
  const { isDeclared = () => false, measure = (_user, work) => work() } = deps;
  /** The indexes by the id of their shape, the least recently used first. */
  const indexes = new Map<string, Index>();
  /** The indexes that commits update. */
  const updated = new Set<Index>();
  /** The evicted indexes, whose entries are being removed. */
  const dropped = new Set<Index>();
  let lastNumber = 0;

  const keep = (index: Index) => void indexes.set(shapeId(index.shape), index);
  for (const [number, text] of entriesUnder(store, prefix)) {
    const { isDropped, next, user, ...record } = v.parse(IndexRecord, JSON.parse(text));
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
      user,
      isDeclared: isDeclared(shape),
      usedMs: nowMs(),
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

  /** Makes room for one more index of the user. @throws {FirestoreError} RESOURCE_EXHAUSTED when none may be evicted. */
  const makeRoom = (collectionId: string, user: string | null) => {
    const all = [...indexes.values()].filter((each) => !each.isDeclared);
    const group = all.filter((each) => each.shape.collectionId === collectionId);
    const unfinished = all.filter((each) => each.user === user && isUnfinished(each));
    if (unfinished.length >= maxUnfinishedOfUser) throw tooManyIndexes();
    const among = group.length >= maxPerGroup ? group : all;
    if (among.length < (among === group ? maxPerGroup : maxIndexes)) return;
    const index = evictable(among, user, nowMs() - unusedMs);
    if (index === undefined) throw tooManyIndexes();
    indexes.delete(shapeId(index.shape));
    settle(index);
    if (updated.has(index)) dropped.add(index);
    for (const each of dropped) each.isStalled = false;
  };

  /** Returns an index and marks it as the most recently used. */
  const use = (shape: IndexShape): Index | undefined => {
    const id = shapeId(shape);
    const index = indexes.get(id);
    if (index === undefined) return undefined;
    indexes.delete(id);
    indexes.set(id, index);
    index.usedMs = nowMs();
    return index;
  };

  const make = (shape: IndexShape, user: string | null): Index => {
    const isOwn = !isDeclared(shape);
    if (isOwn) makeRoom(shape.collectionId, user);
    const index: Index = {
      number: ++lastNumber,
      shape,
      next: groupKey('documents', shape.collectionId),
      isStalled: false,
      user: isOwn ? user : null,
      isDeclared: !isOwn,
      usedMs: nowMs(),
      waiting: [],
    };
    keep(index);
    return index;
  };

  let slices = 0;
  /** The number of the last slice for each user, while indexes are built. */
  const lastSlices = new Map<string | null, number>();

  /** Returns the unfinished indexes: declared ones first, then those of the user whose last slice is the longest ago. */
  const indexesToBuild = (): readonly Index[] => {
    const unfinished = [...indexes.values()].filter(isUnfinished);
    if (unfinished.length === 0) lastSlices.clear();
    const rank = (each: Index) => (each.isDeclared ? -1 : (lastSlices.get(each.user) ?? 0));
    return unfinished.toSorted((left, right) => rank(left) - rank(right));
  };

  let isRemovalNext = false;

  const makingSlice = (index: Index): Slice => {
    const isFirst = !updated.has(index);
    updated.add(index);
    const failed = () => {
      if (isFirst) updated.delete(index);
      // An index that was evicted meanwhile is only removed.
      if (!dropped.has(index)) stall(index);
    };
    const operations: StoreOperation[] = [];
    let next: Buffer | null = null;
    let isOver = false;
    const isSliceOver = createSliceMeter();
    const end = afterPrefix(groupKey('documents', index.shape.collectionId));
    try {
      for (const [key, text] of store.range({ start: index.next ?? end, end })) {
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
     * @throws {FirestoreError} RESOURCE_EXHAUSTED when too many are being built for the user, or there is no room for it.
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
      const unfinished = indexesToBuild();
      const [next] = unfinished;
      if (next !== undefined && shortage() === null) {
        lastSlices.set(next.user, ++slices);
        return next.user === null ? makingSlice(next) : measure(next.user, () => makingSlice(next));
      }
      for (const each of unfinished) stall(each);
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

const isUnfinished = (index: Index): boolean => index.next !== null && !index.isStalled;

/**
 * Returns the index to evict for another one of the user, from those in the order of their use: of the user who has most,
 * of the same one, or one that was not used for long.
 */
function evictable(
  among: readonly Index[],
  user: string | null,
  unusedSinceMs: number,
): Index | undefined {
  const byUser = new Map<string | null, Index[]>([[user, []]]);
  for (const each of among) byUser.set(each.user, [...(byUser.get(each.user) ?? []), each]);
  const own = byUser.get(user) ?? [];
  const [most = own] = [...byUser.values()].toSorted((left, right) => right.length - left.length);
  if (most.length > own.length + 1) return most[0];
  return own[0] ?? among.find((each) => each.usedMs < unusedSinceMs);
}

const tooManyIndexes = () =>
  new FirestoreError('RESOURCE_EXHAUSTED', 'Too many indexes are being made. Try again later.');

function putRecord(
  { number, shape, user }: Index,
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
    user,
  };
  return { type: 'put', key: prefix + number, value: JSON.stringify(record) };
}
