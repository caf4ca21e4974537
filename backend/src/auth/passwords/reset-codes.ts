import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';

/**
 * - `auth/reset/<hash>` holds a code by its SHA-256, for whom it is and under which password it was
 *   asked for: a password changed since makes it worthless.
 * - An account has at most five; a new one takes the place of its oldest.
 * - Expired ones are kept for a day, so that they can be called expired instead of unknown.
 */
const ResetRecord = v.object({
  uid: v.string(),
  passwordChangedMs: v.number(),
  expiresAtMs: v.number(),
});
export type ResetRecord = v.InferOutput<typeof ResetRecord>;

export interface ResetCodes {
  /** Resolves to the code, which is not stored. */
  issue(record: ResetRecord): Promise<string>;
  find(code: string): ResetRecord | undefined;
  /** What makes the codes of an account worthless. */
  drop(uid: string): readonly StoreOperation[];
}

const PREFIX = 'auth/reset/';
/** The hashes of all codes, and of those of an account, by when they expire. */
const ALL = 'auth/resets/';
const ownedBy = (uid: string): string => `auth/resets-of/${uid}/`;
const MAX_PER_ACCOUNT = 5;
const KEPT_EXPIRED_MS = 24 * 60 * 60 * 1000;

export function createResetCodes(store: KeyValueStore, nowMs: () => number): ResetCodes {
  const read = (hash: string): ResetRecord | undefined => {
    const text = store.get(PREFIX + hash);
    return text === undefined ? undefined : v.parse(ResetRecord, JSON.parse(text));
  };
  const dropOne = (hash: string): readonly StoreOperation[] => {
    const record = read(hash);
    return record === undefined
      ? []
      : keysOf(hash, record).map((key) => ({ type: 'del', key }) as const);
  };
  const ownOf = (uid: string) => Array.from(entriesUnder(store, ownedBy(uid)), ([, hash]) => hash);
  const outdated = () => {
    const end = ALL + sortable(nowMs() - KEPT_EXPIRED_MS);
    return Array.from(store.range({ start: ALL, end, limit: MAX_DROPPED }), ([, hash]) => hash);
  };

  return {
    async issue(record) {
      const code = randomBytes(32).toString('base64url');
      const hash = hashCode(code);
      const own = ownOf(record.uid);
      const surplus = own.slice(0, Math.max(0, own.length - MAX_PER_ACCOUNT + 1));
      const [key = '', ...listed] = keysOf(hash, record);
      await store.write([
        ...[...surplus, ...outdated()].flatMap(dropOne),
        { type: 'put', key, value: JSON.stringify(record) },
        ...listed.map((each) => ({ type: 'put', key: each, value: hash }) as const),
      ]);
      return code;
    },
    find: (code) => read(hashCode(code)),
    drop: (uid) => ownOf(uid).flatMap(dropOne),
  };
}

/** More than one goes with each that comes, so the outdated ones get fewer. */
const MAX_DROPPED = 10;

const keysOf = (hash: string, { uid, expiresAtMs }: ResetRecord): readonly string[] => {
  const rest = `${sortable(expiresAtMs)}-${hash}`;
  return [PREFIX + hash, ALL + rest, ownedBy(uid) + rest];
};

const sortable = (timeMs: number): string => String(Math.max(0, timeMs)).padStart(16, '0');

const hashCode = (code: string): string => createHash('sha256').update(code).digest('base64url');
