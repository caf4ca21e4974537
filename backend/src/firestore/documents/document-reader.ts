import type { Limits } from '../../limits/defaults.ts';
import { createSliceMeter, type Steps } from '../../limits/slices.ts';
import { underPrefix, type KeyRange, type KeyValueStore } from '../../store/key-value-store.ts';
import {
  equalityFilters,
  indexRange,
  indexShape,
  isInKeyOrder,
  pathOf,
  withoutFixedOrders,
} from '../query/index-range.ts';
import { cutWindow, isDecidedByIndex } from '../query/query-window.ts';
import { everything, requiredFilters, type Query } from '../query/query.ts';
import type { StoredDocument } from '../values/document.ts';
import { isDocumentKey } from '../values/field-path.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { elementsOf } from '../values/value.ts';
import { createDocumentCache, type CachedDocument, type DocumentCache } from './document-cache.ts';
import { keptBytes, documentKey, groupKey, isOrderedByKept } from './document-keys.ts';
import { decodeRecord, recordPath } from './document-record.ts';
import type { IndexTable } from './index-table.ts';
import { createSorters, type OpenSorter } from './sorter.ts';

type Take = (document: StoredDocument) => void;

export interface DocumentReaderDeps {
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  readonly indexes: IndexTable;
  readonly elapsedMs: () => number;
  readonly limits: Pick<Limits, 'documentCacheBytes' | 'sortedCharacters' | 'allSortedCharacters'>;
}

/**
 * - Documents are read from the disk through a cache of bounded size.
 * - A query reads one range of one index: in its order, of all of its equalities, or of one, or of none. If there is no such
 *   index, it reads the documents of an equality or else of its scope, and sorts those that pass its filter.
 * - Long answers are read in slices, all of them from one version of the store.
 * - Memory does not grow with the documents that a query reads: the documents that it has to sort are limited.
 */
export function createDocumentReader(deps: DocumentReaderDeps) {
  const { store, names, indexes, limits, elapsedMs } = deps;
  const cache = createDocumentCache(limits.documentCacheBytes);
  let changes = 0;
  const openSorter = createSorters(limits, elapsedMs);
  const viewDeps = { names, indexes, cache, openSorter, elapsedMs };

  return {
    /** A view of the published version as of each call. */
    published: createView({
      ...viewDeps,
      source: store,
      version: Infinity,
      mayCache: () => true,
      onSlice: () => undefined,
    }),
    /**
     * Opens a view that stays at the version that is published now, until it is released.
     *
     * @param version the number of the published version.
     * @param onSlice is called at the end of each slice, and may throw.
     */
    openView(version: number, onSlice: () => void) {
      const source = store.snapshot();
      const changesBefore = changes;
      let isFirstSlice = true;
      const view = createView({
        ...viewDeps,
        source,
        version,
        mayCache: () => isFirstSlice && changes === changesBefore,
        onSlice() {
          isFirstSlice = false;
          onSlice();
        },
      });
      return { ...view, source, release: () => source.release() };
    },
    /** Invalidates the cached documents at these paths, which have changed. */
    forget(paths: Iterable<string>) {
      changes++;
      for (const path of paths) cache.delete(path);
    },
    isEmpty: () => store.count({ ...underPrefix('fs/d/'), limit: 1 }) === 0,
  };
}

interface ViewDeps {
  readonly source: Pick<KeyValueStore, 'get' | 'range' | 'count'>;
  readonly names: DatabaseNames;
  readonly indexes: IndexTable;
  readonly cache: DocumentCache;
  readonly openSorter: OpenSorter;
  readonly elapsedMs: () => number;
  readonly version: number;
  /** Whether nothing was published after the version, and the answer is short enough not to evict everything else. */
  readonly mayCache: () => boolean;
  readonly onSlice: () => void;
}

function createView(deps: ViewDeps) {
  const { source, names, indexes, cache } = deps;

  /** Returns the cached document unless it changed after the version of the view. */
  const cached = (path: string): CachedDocument | undefined => {
    const found = cache.get(path);
    return found !== undefined && found.document.updateVersion <= deps.version ? found : undefined;
  };
  const decode = (text: string): CachedDocument => {
    const known = cached(recordPath(text));
    if (known !== undefined) return known;
    const loaded = { document: decodeRecord(text, names), characters: text.length };
    if (deps.mayCache()) cache.set(loaded);
    return loaded;
  };
  const load = (path: string): CachedDocument | undefined => {
    const known = cached(path);
    if (known !== undefined) return known;
    const text = source.get(documentKey(path));
    return text === undefined ? undefined : decode(text);
  };
  const get = (path: string): StoredDocument | null => load(path)?.document ?? null;
  const charactersOf = (path: string): number => load(path)?.characters ?? 0;

  /** Yields the documents at the paths, and undefined at the end of each slice. */
  function* loadEach(paths: Iterable<string>): Generator<CachedDocument | undefined> {
    const isSliceOver = createSliceMeter(deps.elapsedMs);
    for (const path of paths) {
      const loaded = load(path);
      if (loaded !== undefined) yield loaded;
      while (isSliceOver()) yield undefined;
    }
  }

  /** Returns the range of the query in the index that serves it; undefined when there is none. */
  const rangeOf = (query: Query): IndexedRange | undefined => {
    const shape = indexShape(query);
    const isOfDocuments = isInKeyOrder(shape);
    const prefix = isOfDocuments ? groupKey('documents', query.collectionId) : indexes.find(shape);
    return prefix && { ...indexRange(prefix, query, names), isOfDocuments };
  };

  /** Yields the documents of a range in its order, and undefined at the end of each slice. */
  function* entries(range: IndexedRange): Generator<RangeEntry | undefined> {
    const isSliceOver = createSliceMeter(deps.elapsedMs);
    for (const [key, value] of source.range(range)) {
      const loaded = range.isOfDocuments ? decode(value) : load(value);
      if (loaded === undefined) continue;
      yield { ...loaded, key };
      while (isSliceOver()) yield undefined;
    }
  }

  /** As `entries`, in query order: it sorts documents whose keys may be truncated and have the same kept bytes. */
  function* candidates(range: IndexedRange, query: Query): Generator<StoredDocument | undefined> {
    const sorter = deps.openSorter(query);
    let run: Buffer | null = null;
    try {
      for (const entry of entries(range)) {
        if (entry === undefined) {
          yield undefined;
          continue;
        }
        const kept = isOrderedByKept(entry.key) ? entry.key.subarray(0, keptBytes) : null;
        if (run !== null && kept?.equals(run) !== true) {
          yield* sorter.sorted();
          sorter.forget();
        }
        run = kept;
        if (kept === null) yield entry.document;
        else yield* sorter.add(entry);
      }
      yield* sorter.sorted();
    } finally {
      sorter.forget();
    }
  }

  /** Returns a range in the order of the query that has all of its documents, and perhaps others. */
  const widerRangeOf = (query: Query): IndexedRange | undefined => {
    for (const filter of [query.filter, ...equalityFilters(query), null]) {
      const range = rangeOf({ ...query, filter });
      if (range !== undefined) return range;
    }
    return undefined;
  };

  /** Yields the documents that may pass the filter, in the order of their keys. */
  const scan = (query: Query): Iterable<CachedDocument | undefined> => {
    const range = widerRangeOf({ ...query, ...everything, filter: query.filter });
    return range === undefined ? [] : entries(range);
  };

  /** Passes the documents of a query to `take`, in query order, and yields at the end of each slice. */
  function* readSlices(asked: Query, take: Take): Steps<void> {
    const query = withoutFixedOrders(asked);
    const paths = requiredPaths(query, names);
    const range = paths === undefined ? widerRangeOf(query) : undefined;
    if (range !== undefined) {
      yield* cutWindow({ query, candidates: candidates(range, query), take });
      return;
    }
    const sorter = deps.openSorter(query);
    try {
      for (const loaded of paths === undefined ? scan(query) : loadEach(paths)) {
        if (loaded === undefined) yield undefined;
        else yield* sorter.add(loaded);
      }
      // The sorter has only documents that pass the filter and lie between the cursors.
      const passed = { ...query, filter: null, startAt: null, endAt: null };
      yield* cutWindow({ query: passed, candidates: sorter.sorted(), take });
    } finally {
      sorter.forget();
    }
  }

  function* read(query: Query, take: Take): Steps<void> {
    for (const pause of readSlices(query, take)) {
      deps.onSlice();
      yield pause;
    }
  }

  return {
    get,
    charactersOf,
    read,
    *count(asked: Query): Steps<number> {
      const query = withoutFixedOrders(asked);
      const range = isDecidedByIndex(query) ? rangeOf(query) : undefined;
      // Among the documents of a collection lie those of collections below it that have the same id.
      const isMixed = range?.isOfDocuments === true && !query.allDescendants;
      if (range?.isExact === true && !isMixed) {
        return Math.max(0, Math.min(source.count(range) - query.offset, query.limit ?? Infinity));
      }
      let count = 0;
      yield* read(query, () => void count++);
      return count;
    },
  };
}

interface RangeEntry extends CachedDocument {
  readonly key: Buffer;
}

interface IndexedRange extends KeyRange {
  /** Whether no key outside of the query's bounds is in the range. */
  readonly isExact: boolean;
  /** Whether the values are documents, and not their paths. */
  readonly isOfDocuments: boolean;
}

/** Returns the paths that a query restricts its keys to; undefined when it does not. */
function requiredPaths(query: Query, names: DatabaseNames): readonly string[] | undefined {
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || !isDocumentKey(filter.field)) continue;
    const { operator, value } = filter;
    if (operator !== 'EQUAL' && operator !== 'IN') continue;
    const keys = operator === 'EQUAL' ? [value] : elementsOf(value);
    return [...new Set(keys.flatMap((each) => pathOf(each, names) ?? []))];
  }
  return undefined;
}
