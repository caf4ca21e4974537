import { setImmediate as nextTurn } from 'node:timers/promises';
import { admin } from '../caller.ts';
import type { Database } from './documents/database.ts';
import { parseFieldPath } from './values/field-path.ts';
import {
  fieldsFromPlain,
  fieldsToPlain,
  fromPlain,
  type PlainData,
  type PlainValue,
} from './values/plain-data.ts';
import { directedKey } from './query/query-match.ts';
import { everything, type Cursor, type Query } from './query/query.ts';
import { checkDocumentPath, checkSegment, type DatabaseNames } from './values/resource-path.ts';
import type { Write } from './commit/write.ts';

/**
 * A write of the embedding process. It bypasses the policy; everything else is as for a client. `merge` keeps the fields
 * that it does not name.
 */
type AdminWrite =
  | { readonly set: string; readonly data: PlainData }
  | { readonly merge: string; readonly data: PlainData }
  | { readonly delete: string };

export interface AdminQuery {
  /** The path of a collection, or with `isGroup` the id of a collection group. */
  readonly collection: string;
  readonly isGroup?: boolean;
  readonly equals?: { readonly field: string; readonly value: PlainValue };
  /** The path of a document: only later ones are found. */
  readonly after?: string;
  readonly limit: number;
}

export type AdminFirestore = ReturnType<typeof createAdminFirestore>;

interface FoundDocument {
  readonly path: string;
  readonly data: PlainData;
}

export function createAdminFirestore(database: Database) {
  /**
   * Yields the documents in the order of their paths. Others get a turn before it and after each slice of it, and no more
   * than a slice is in memory, or what has to be sorted. A caller who takes long gets an error instead of an old version.
   */
  async function* stream(query: AdminQuery): AsyncGenerator<FoundDocument, void> {
    let slice: FoundDocument[] = [];
    const steps = database.read(admin, toQuery(query, database.names), ({ path, fields }) => {
      slice.push({ path, data: fieldsToPlain(fields) });
    });
    await nextTurn();
    for (const pause of steps) {
      yield* slice;
      slice = [];
      await (pause ?? nextTurn());
    }
    yield* slice;
  }

  return {
    /** Commits the writes atomically and durably; their number is not limited. */
    async commit(writes: readonly AdminWrite[]) {
      await database.commit(admin, writes.map(toWrite));
    },
    get(path: string): PlainData | null {
      const document = database.get(admin, path);
      return document === null ? null : fieldsToPlain(document.fields);
    },
    /** Resolves to all documents of `stream`. */
    find: async (query: AdminQuery): Promise<readonly FoundDocument[]> => {
      const found: FoundDocument[] = [];
      for await (const document of stream(query)) found.push(document);
      return found;
    },
    stream,
  };
}

function toWrite(write: AdminWrite): Write {
  if ('delete' in write) {
    return { kind: 'delete', path: checkDocumentPath(write.delete), precondition: null };
  }
  const isMerge = 'merge' in write;
  const fields = fieldsFromPlain(write.data);
  return {
    kind: 'set',
    path: checkDocumentPath(isMerge ? write.merge : write.set),
    fields,
    mask: isMerge ? [...fields.keys()].map((name) => ({ segments: [name], text: name })) : null,
    transforms: [],
    precondition: null,
  };
}

function toQuery(query: AdminQuery, { toName }: DatabaseNames): Query {
  const { collection, isGroup = false, equals, after, limit } = query;
  const slash = collection.lastIndexOf('/');
  const parent = slash === -1 ? '' : checkDocumentPath(collection.slice(0, slash));
  return {
    ...everything,
    parent,
    collectionId: checkSegment(collection.slice(slash + 1)),
    allDescendants: isGroup,
    filter:
      equals === undefined
        ? null
        : {
            kind: 'field',
            field: parseFieldPath(equals.field),
            operator: 'EQUAL',
            value: fromPlain(equals.value),
          },
    startAt: after === undefined ? null : behind(toName(after)),
    limit,
  };
}

/** Returns the position behind the document of that name. */
function behind(name: string): Cursor {
  const values = [{ kind: 'reference', name }] as const;
  return { values, key: directedKey(values, everything.orderBy), before: false };
}
