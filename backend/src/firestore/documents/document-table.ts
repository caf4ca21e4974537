import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { isDocumentKey } from '../values/field-path.ts';
import { createQueryIndex, indexShape, type QueryIndex } from '../query/query-index.ts';
import { createUpdateHistory, type UpdateHistory } from './update-history.ts';
import { countWindow, cutWindow, evaluateQuery } from '../query/query-window.ts';
import { requiredFilters, type Query } from '../query/query.ts';
import { collectionIdOf } from '../values/resource-path.ts';
import type { Value } from '../values/value.ts';

/**
 * - All documents in memory, by path and by collection group.
 * - A query reads one bucket of one index; the index is built when its shape is first asked for and
 *   kept up to date by every change. The least recently used shapes of a group are dropped.
 */
export interface DocumentTable {
  readonly get: (path: string) => StoredDocument | null;
  apply(change: DocumentChange): void;
  query(query: Query): readonly StoredDocument[];
  count(query: Query): number;
  /** Documents of a collection group changed after a version; the cost is that of the answer. */
  changedSince(collectionId: string, version: number): readonly StoredDocument[];
  size(): number;
}

const MAX_INDEXES_PER_GROUP = 32;

interface Group {
  readonly documents: Map<string, StoredDocument>;
  readonly history: UpdateHistory;
  /** In order of use, the most recent last. */
  readonly indexes: Map<string, QueryIndex>;
}

export function createDocumentTable(): DocumentTable {
  const documents = new Map<string, StoredDocument>();
  const groups = new Map<string, Group>();

  const groupOf = (collectionId: string): Group => {
    const existing = groups.get(collectionId);
    if (existing !== undefined) return existing;
    const members = new Map<string, StoredDocument>();
    const group: Group = {
      documents: members,
      history: createUpdateHistory(members),
      indexes: new Map(),
    };
    groups.set(collectionId, group);
    return group;
  };

  const candidates = (query: Query) => {
    const group = groups.get(query.collectionId);
    return group === undefined ? [] : indexFor(query, group).candidates(query);
  };
  const named = (query: Query): readonly StoredDocument[] | undefined => {
    const names = requiredNames(query);
    return names === undefined ? undefined : evaluateQuery(query, byName(names, documents));
  };

  return {
    get: (path) => documents.get(path) ?? null,
    size: () => documents.size,
    changedSince: (collectionId, version) => groups.get(collectionId)?.history.since(version) ?? [],
    apply({ path, before, after }) {
      const group = groupOf(collectionIdOf(path));
      for (const index of group.indexes.values()) {
        if (before !== null) index.remove(before);
        if (after !== null) index.add(after);
      }
      for (const map of [documents, group.documents]) {
        if (after === null) map.delete(path);
        else map.set(path, after);
      }
      if (after !== null) group.history.add(after);
    },
    count: (query) => named(query)?.length ?? countWindow(query, candidates(query)),
    query: (query) => named(query) ?? cutWindow(query, candidates(query)),
  };
}

function indexFor(query: Query, group: Group): QueryIndex {
  const shape = indexShape(query);
  const index = group.indexes.get(shape.id) ?? buildIndex(query, group);
  group.indexes.delete(shape.id);
  group.indexes.set(shape.id, index);
  const [oldest] = group.indexes.keys();
  if (group.indexes.size > MAX_INDEXES_PER_GROUP && oldest !== undefined) {
    group.indexes.delete(oldest);
  }
  return index;
}

function buildIndex(query: Query, group: Group): QueryIndex {
  const index = createQueryIndex(indexShape(query));
  index.addAll(group.documents.values());
  return index;
}

/** The documents a query names by their keys; undefined when it does not. */
function requiredNames(query: Query): readonly string[] | undefined {
  for (const filter of requiredFilters(query.filter)) {
    if (filter.kind !== 'field' || !isDocumentKey(filter.field)) continue;
    if (filter.operator === 'EQUAL') return referenceNames([filter.value]);
    if (filter.operator === 'IN' && filter.value.kind === 'array') {
      return referenceNames(filter.value.values);
    }
  }
  return undefined;
}

const referenceNames = (values: readonly Value[]): readonly string[] =>
  values.flatMap((each) => (each.kind === 'reference' ? each.name : []));

/** Whether the database part of the name is ours is left to the filter, which compares whole names. */
function byName(
  names: readonly string[],
  documents: ReadonlyMap<string, StoredDocument>,
): readonly StoredDocument[] {
  const paths = new Set(names.map((name) => name.split('/documents/', 2)[1] ?? ''));
  return [...paths].flatMap((path) => documents.get(path) ?? []);
}
