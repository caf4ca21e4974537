import type { Limits } from '../../limits/defaults.ts';
import {
  afterPrefix,
  underPrefix,
  type KeyRange,
  type KeyValueStore,
} from '../../store/key-value-store.ts';
import {
  indexRange,
  indexShape,
  isInKeyOrder,
  isReversed,
  type Bound,
  type IndexShape,
} from '../query/index-range.ts';
import {
  cutWindow,
  evaluateQuery,
  isDecidedByIndex,
  sortDocuments,
} from '../query/query-window.ts';
import { requiredFilters, type Query } from '../query/query.ts';
import type { StoredDocument } from '../values/document.ts';
import { DOCUMENT_KEY, isDocumentKey } from '../values/field-path.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import type { Value } from '../values/value.ts';
import { createDocumentCache } from './document-cache.ts';
import {
  KEPT_BYTES,
  documentKey,
  groupKey,
  isTruncated,
  nestedKey,
  versionKey,
} from './document-keys.ts';
import { decodeRecord, recordPath } from './document-record.ts';
import type { IndexTable } from './index-table.ts';

/**
 * - Documents are read from the disk, in the published version, through a cache of bounded size.
 * - A query reads one range of one index. While there is none it looks at every document of its scope.
 */
export interface DocumentReader {
  readonly get: (path: string) => StoredDocument | null;
  /** The documents at these paths have changed. */
  forget(paths: Iterable<string>): void;
  query(query: Query): readonly StoredDocument[];
  count(query: Query): number;
  /** Documents of a collection group changed after a version; the cost is that of the answer. */
  changedSince(collectionId: string, version: number): readonly StoredDocument[];
  /** Whether queries of the shape are answered without a look at many documents. */
  isIndexed(shape: IndexShape): boolean;
  isEmpty(): boolean;
}

export interface DocumentReaderDeps {
  readonly store: KeyValueStore;
  readonly names: DatabaseNames;
  readonly indexes: IndexTable;
  readonly limits: Pick<Limits, 'documentCacheBytes' | 'unindexedDocuments'>;
}

export function createDocumentReader(deps: DocumentReaderDeps): DocumentReader {
  const { store, names, indexes, limits } = deps;
  const cache = createDocumentCache(limits.documentCacheBytes);

  const decode = (text: string): StoredDocument => {
    const cached = cache.get(recordPath(text));
    if (cached !== undefined) return cached;
    const document = decodeRecord(text, names);
    cache.set(document, text.length);
    return document;
  };
  const get = (path: string): StoredDocument | null => {
    const cached = cache.get(path);
    if (cached !== undefined) return cached;
    const text = store.get(documentKey(path));
    return text === undefined ? null : decode(text);
  };

  /** The range of the query in the index that serves it; undefined while there is none. */
  const rangeOf = (query: Query): IndexedRange | undefined => {
    const shape = indexShape(query);
    const isOfDocuments = isInKeyOrder(shape);
    const prefix = isOfDocuments ? groupKey('documents', query.collectionId) : indexes.find(shape);
    return prefix && { ...toRange(prefix, query, names), isOfDocuments };
  };

  /** In query order. Truncated keys that are equal as far as they go are put in order here. */
  function* candidates(range: IndexedRange, query: Query): Generator<StoredDocument> {
    let run: Run | null = null;
    for (const [key, value] of store.range(range)) {
      const document = range.isOfDocuments ? decode(value) : get(value);
      if (document === null) continue;
      const kept = isTruncated(key) ? key.subarray(0, KEPT_BYTES) : null;
      if (run !== null && kept?.equals(run.kept) !== true) {
        yield* sortDocuments(run.documents, query.orderBy);
        run = null;
      }
      if (kept === null) yield document;
      else {
        run ??= { kept, documents: [] };
        run.documents.push(document);
      }
    }
    if (run !== null) yield* sortDocuments(run.documents, query.orderBy);
  }

  /** Every document of the scope. */
  const scan = (query: Query): Iterable<StoredDocument> => {
    const { parent, collectionId, allDescendants } = query;
    const range = rangeOf({ ...EVERYTHING, parent, collectionId, allDescendants });
    return range === undefined ? [] : candidates(range, query);
  };

  const named = (query: Query) => requiredNames(query)?.flatMap((path) => get(path) ?? []);

  const find = (query: Query): readonly StoredDocument[] => {
    const range = rangeOf(query);
    return range === undefined
      ? evaluateQuery(query, scan(query))
      : cutWindow(query, candidates(range, query));
  };

  const query = (asked: Query): readonly StoredDocument[] => {
    const documents = named(asked);
    return documents === undefined ? find(asked) : evaluateQuery(asked, documents);
  };

  return {
    get,
    query,
    forget(paths) {
      for (const path of paths) cache.delete(path);
    },
    count(asked) {
      const range = isDecidedByIndex(asked) ? rangeOf(asked) : undefined;
      if (range?.isExact !== true) return query(asked).length;
      // Documents below a document of the same collection lie between those of the collection.
      const isMixed = range.isOfDocuments && store.get(nestedKey(asked.collectionId)) !== undefined;
      if (isMixed) return query(asked).length;
      return Math.max(0, Math.min(store.count(range) - asked.offset, asked.limit ?? Infinity));
    },
    changedSince(collectionId, version) {
      const group = groupKey('updates', collectionId);
      const start = Buffer.concat([group, versionKey(version + 1)]);
      const paths = Array.from(store.range({ start, end: afterPrefix(group) }), ([, path]) => path);
      return paths.flatMap((path) => get(path) ?? []);
    },
    isIndexed(shape) {
      if (isInKeyOrder(shape) || indexes.find(shape) !== undefined) return true;
      const range = underPrefix(groupKey('documents', shape.collectionId));
      const limit = limits.unindexedDocuments + 1;
      return store.count({ ...range, limit }) < limit;
    },
    isEmpty: () => store.count({ ...underPrefix('fs/d/'), limit: 1 }) === 0,
  };
}

interface Run {
  readonly kept: Buffer;
  readonly documents: StoredDocument[];
}

interface IndexedRange extends KeyRange {
  /** Whether no key outside of the query's bounds is in the range. */
  readonly isExact: boolean;
  /** Whether the values are documents, and not their paths. */
  readonly isOfDocuments: boolean;
}

const EVERYTHING: Omit<Query, 'parent' | 'collectionId' | 'allDescendants'> = {
  filter: null,
  orderBy: [{ field: DOCUMENT_KEY, isDescending: false }],
  startAt: null,
  endAt: null,
  limit: null,
  offset: 0,
};

function toRange(prefix: Buffer, query: Query, names: DatabaseNames) {
  const { lower, upper, ...range } = indexRange(query, names);
  let { isExact } = range;
  const keyOf = (bound: Bound, isUpper: boolean): Buffer => {
    const whole = Buffer.concat([prefix, bound.bytes]);
    const isWhole = whole.length <= KEPT_BYTES;
    isExact &&= isWhole;
    const kept = whole.subarray(0, KEPT_BYTES);
    return (isWhole ? bound.isAfter : isUpper) ? afterPrefix(kept) : kept;
  };
  const starts = lower.map((each) => keyOf(each, false));
  const ends = upper.map((each) => keyOf(each, true));
  const start = starts.reduce((left, right) => (Buffer.compare(left, right) < 0 ? right : left));
  const end = ends.reduce((left, right) => (Buffer.compare(left, right) < 0 ? left : right));
  const isEmpty = Buffer.compare(start, end) > 0;
  return { start, end: isEmpty ? start : end, isReverse: isReversed(query), isExact };
}

/** The paths that a query names by its keys; undefined when it does not. */
function requiredNames(query: Query): readonly string[] | undefined {
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || !isDocumentKey(filter.field)) continue;
    if (filter.operator === 'EQUAL') return referencePaths([filter.value]);
    if (filter.operator === 'IN' && filter.value.kind === 'array') {
      return referencePaths(filter.value.values);
    }
  }
  return undefined;
}

/** Whether the database part of the name is ours is left to the filter, which compares whole names. */
const referencePaths = (values: readonly Value[]): readonly string[] => [
  ...new Set(
    values.flatMap((each) =>
      each.kind === 'reference' ? (each.name.split('/documents/', 2)[1] ?? '') : [],
    ),
  ),
];
