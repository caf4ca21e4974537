import { createHash } from 'node:crypto';
import { collectionIdOf } from '../values/resource-path.ts';
import { pathKey, textKey } from '../values/value-key.ts';

/**
 * The keys of the store:
 *
 * - `fs/d/` collection id, path: a document with its path. Collections and collection groups are ranges of these keys.
 * - `fs/l/` collection id, version, path: what a commit replaced or deleted (`change-log`).
 * - `fs/e/` version: a commit of the change log.
 * - `fs/i/` number of an index, its values, path: an entry of an index; `fs/x/` number: the index (`index-table`).
 * - `fs/q/` uid: how many documents an owner has, and how many bytes (`usage`).
 */
const maxBytes = 1960;
const hashBytes = 32;
/** A longer key is truncated to this many bytes, followed by a hash of its path. */
export const keptBytes = maxBytes - hashBytes;

/**
 * Whether a key is truncated, or so long that a truncated one may begin with the same bytes. Such keys are ordered by the bytes
 * that are kept.
 */
export const isOrderedByKept = (key: Buffer): boolean => key.length > keptBytes;

export function boundedKey(path: string, ...parts: readonly Buffer[]): Buffer {
  const key = Buffer.concat(parts);
  if (key.length < maxBytes) return key;
  const hash = createHash('sha256').update(path).digest();
  return Buffer.concat([key.subarray(0, keptBytes), hash]);
}

const tables = { documents: 'fs/d/', formers: 'fs/l/' } as const;

/** Returns the prefix of the keys of a collection group in a table. */
export const groupKey = (table: keyof typeof tables, collectionId: string): Buffer =>
  Buffer.concat([Buffer.from(tables[table]), textKey(collectionId)]);

export const documentKey = (path: string): Buffer =>
  boundedKey(path, groupKey('documents', collectionIdOf(path)), pathKey(path));

export const formerKey = (path: string, version: number): Buffer =>
  boundedKey(path, groupKey('formers', collectionIdOf(path)), versionKey(version), pathKey(path));

export function versionKey(version: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(version));
  return bytes;
}

export const commitPrefix = 'fs/e/';
export const commitKey = (version: number): Buffer =>
  Buffer.concat([Buffer.from(commitPrefix), versionKey(version)]);
