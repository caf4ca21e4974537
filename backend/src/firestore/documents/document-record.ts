import * as v from 'valibot';
import type { StoreOperation } from '../../store/key-value-store.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { decodeFields, encodeFields } from '../values/value-codec.ts';
import { documentKey } from './document-keys.ts';

/** The stored form of a document is the length of its path, the path, and this record as JSON. */
const DocumentRecord = v.object({
  c: v.number(),
  u: v.number(),
  /** The uid of the user who created it, who is charged for it. */
  o: v.nullable(v.string()),
  /** It is no `v.record`, because that would drop a field called `constructor`. */
  f: v.unknown(),
});

export function encodeRecord(document: StoredDocument) {
  const { path, fields, createVersion: c, updateVersion: u, owner: o } = document;
  return `${path.length} ${path}${JSON.stringify({ c, u, o, f: encodeFields(fields) })}`;
}

export function documentOperation({ path, after }: DocumentChange): StoreOperation {
  const key = documentKey(path);
  return after === null ? { type: 'del', key } : { type: 'put', key, value: encodeRecord(after) };
}

/** The key of the version of the last commit. */
export const versionKey = 'fs/version';

export const versionOperation = (version: number): StoreOperation => ({
  type: 'put',
  key: versionKey,
  value: `${version}`,
});

/** Returns a copy, since V8 keeps the whole record in memory for a part of it. */
export function recordPath(text: string): string {
  const space = text.indexOf(' ');
  const path = text.slice(space + 1, space + 1 + Number(text.slice(0, space)));
  return Buffer.from(path).toString();
}

export function decodeRecord(text: string, names: DatabaseNames): StoredDocument {
  const path = recordPath(text);
  const start = text.indexOf(' ') + 1 + path.length;
  const { c, u, o, f } = v.parse(DocumentRecord, JSON.parse(text.slice(start)));
  return {
    path,
    name: names.toName(path),
    fields: decodeFields(f),
    createVersion: c,
    updateVersion: u,
    owner: o,
  };
}
