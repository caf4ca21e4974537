import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../store/key-value-store.ts';
import type { DocumentChange, StoredDocument } from './document.ts';
import type { DatabaseNames } from './resource-path.ts';
import { decodeStoredFields, encodeFields } from './value-codec.ts';

/**
 * - `fs/d/<path>` holds a document, `fs/version` the last commit version, `fs/ceiling` a version no
 *   read has passed, `fs/epoch` the identity of this store.
 * - The epoch is made with the store: a token of another store is recognised by it.
 */
const DOCUMENT_PREFIX = 'fs/d/';
const VERSION_KEY = 'fs/version';
const CEILING_KEY = 'fs/ceiling';
const EPOCH_KEY = 'fs/epoch';

const Record = v.object({
  c: v.number(),
  u: v.number(),
  /** Not a record of valibot: that would drop a field called `constructor`. */
  f: v.unknown(),
});

export interface LoadedState {
  readonly epoch: string;
  /** The version of the last commit. */
  readonly version: number;
  /** No version up to this one may be issued again. */
  readonly ceiling: number;
  readonly documents: readonly StoredDocument[];
}

export async function loadState(
  store: KeyValueStore,
  names: DatabaseNames,
  newEpoch: () => string,
): Promise<LoadedState> {
  const documents: StoredDocument[] = [];
  for await (const [key, value] of store.entries(DOCUMENT_PREFIX)) {
    documents.push(decodeRecord(key.slice(DOCUMENT_PREFIX.length), value, names));
  }
  const version = Number((await store.get(VERSION_KEY)) ?? 0);
  const ceiling = Math.max(version, Number((await store.get(CEILING_KEY)) ?? 0));
  const epoch = (await store.get(EPOCH_KEY)) ?? newEpoch();
  await store.write([{ type: 'put', key: EPOCH_KEY, value: epoch }]);
  return { epoch, version, ceiling, documents };
}

function decodeRecord(path: string, text: string, names: DatabaseNames): StoredDocument {
  const record = v.parse(Record, JSON.parse(text));
  return {
    path,
    name: names.toName(path),
    fields: decodeStoredFields(record.f),
    createVersion: record.c,
    updateVersion: record.u,
  };
}

/** Everything one commit changes, to be written atomically together with its version. */
export function commitOperations(
  version: number,
  changes: readonly DocumentChange[],
): readonly StoreOperation[] {
  return [...changes.map(changeOperation), { type: 'put', key: VERSION_KEY, value: `${version}` }];
}

function changeOperation({ path, after }: DocumentChange): StoreOperation {
  const key = DOCUMENT_PREFIX + path;
  if (after === null) return { type: 'del', key };
  const record = { c: after.createVersion, u: after.updateVersion, f: encodeFields(after.fields) };
  return { type: 'put', key, value: JSON.stringify(record) };
}

export const ceilingOperation = (ceiling: number): StoreOperation => ({
  type: 'put',
  key: CEILING_KEY,
  value: `${ceiling}`,
});
