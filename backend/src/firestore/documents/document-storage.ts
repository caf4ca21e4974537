import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import type { Commit, Evicted } from './change-log.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { decodeStoredFields, encodeFields } from '../values/value-codec.ts';

/**
 * - `fs/d/<path>` holds a document, `fs/version` the last commit version, `fs/ceiling` a version no
 *   read has passed, `fs/epoch` the identity of this store.
 * - `fs/l/<version>` holds the documents that a commit replaced or deleted, `fs/floor` the version after which every
 *   commit has one. A store whose last commit has none begins its log anew.
 * - The epoch is made with the store: a token of another store is recognised by it.
 */
const DOCUMENT_PREFIX = 'fs/d/';
const VERSION_KEY = 'fs/version';
const CEILING_KEY = 'fs/ceiling';
const EPOCH_KEY = 'fs/epoch';
const LOG_PREFIX = 'fs/l/';
const FLOOR_KEY = 'fs/floor';

const Record = v.object({
  c: v.number(),
  u: v.number(),
  /** Not a record of valibot: that would drop a field called `constructor`. */
  f: v.unknown(),
});

const LogEntry = v.object({
  writer: v.nullable(v.string()),
  formers: v.array(v.object({ path: v.string(), before: v.nullable(Record) })),
});

export interface LoadedState {
  readonly epoch: string;
  /** The version of the last commit. */
  readonly version: number;
  /** No version up to this one may be issued again. */
  readonly ceiling: number;
  readonly documents: readonly StoredDocument[];
  /** Every commit after the floor, oldest first. */
  readonly commits: readonly Commit[];
  readonly floor: number;
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
  const stored = await loadCommits(store, names, documents);
  const stale = stored.at(-1)?.version === version ? [] : stored;
  const commits = stale.length > 0 ? [] : stored;
  const floor = commits.length > 0 ? Number((await store.get(FLOOR_KEY)) ?? version) : version;
  await store.write([
    { type: 'put', key: EPOCH_KEY, value: epoch },
    ...evictionOperations({ versions: stale.map((each) => each.version), floor }),
  ]);
  return { epoch, version, ceiling, documents, commits, floor };
}

async function loadCommits(
  store: KeyValueStore,
  names: DatabaseNames,
  documents: readonly StoredDocument[],
): Promise<readonly Commit[]> {
  const stored: (readonly [version: number, value: string])[] = [];
  for await (const [key, value] of store.entries(LOG_PREFIX)) {
    stored.push([Number(key.slice(LOG_PREFIX.length)), value]);
  }
  /** The state of each document after the commit that is decoded next, from the last commit to the first. */
  const states = new Map(documents.map((each) => [each.path, each]));
  const commits = stored.toReversed().map(([version, value]): Commit => {
    const { writer, formers } = v.parse(LogEntry, JSON.parse(value));
    const changes = formers.map(({ path, before: record }) => {
      const after = states.get(path) ?? null;
      const before = record === null ? null : toDocument(path, record, names);
      if (before === null) states.delete(path);
      else states.set(path, before);
      return { path, before, after };
    });
    return { version, writer, changes };
  });
  return commits.toReversed();
}

const decodeRecord = (path: string, text: string, names: DatabaseNames): StoredDocument =>
  toDocument(path, v.parse(Record, JSON.parse(text)), names);

function toDocument(
  path: string,
  record: v.InferOutput<typeof Record>,
  names: DatabaseNames,
): StoredDocument {
  return {
    path,
    name: names.toName(path),
    fields: decodeStoredFields(record.f),
    createVersion: record.c,
    updateVersion: record.u,
  };
}

/** Everything one commit changes, to be written atomically together with its version and what it replaces. */
export function commitOperations({ version, writer, changes }: Commit): readonly StoreOperation[] {
  const formers = changes.map(({ path, before }) => ({
    path,
    before: before === null ? null : encodeRecord(before),
  }));
  return [
    ...changes.map(changeOperation),
    { type: 'put', key: VERSION_KEY, value: `${version}` },
    { type: 'put', key: logKey(version), value: JSON.stringify({ writer, formers }) },
  ];
}

export const evictionOperations = ({ versions, floor }: Evicted): readonly StoreOperation[] => [
  ...versions.map((each): StoreOperation => ({ type: 'del', key: logKey(each) })),
  { type: 'put', key: FLOOR_KEY, value: `${floor}` },
];

/** Padded, so that the order of keys is that of versions. */
const logKey = (version: number): string => LOG_PREFIX + `${version}`.padStart(16, '0');

function changeOperation({ path, after }: DocumentChange): StoreOperation {
  const key = DOCUMENT_PREFIX + path;
  if (after === null) return { type: 'del', key };
  return { type: 'put', key, value: JSON.stringify(encodeRecord(after)) };
}

const encodeRecord = ({ createVersion, updateVersion, fields }: StoredDocument) => ({
  c: createVersion,
  u: updateVersion,
  f: encodeFields(fields),
});

export const ceilingOperation = (ceiling: number): StoreOperation => ({
  type: 'put',
  key: CEILING_KEY,
  value: `${ceiling}`,
});
