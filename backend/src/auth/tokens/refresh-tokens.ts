import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';

/**
 * - `auth/refresh/<hash>` holds a refresh token by its SHA-256: the store never holds what a client
 *   signs in with.
 * - An account has at most 100; a new one takes the place of its oldest.
 */
const RefreshRecord = v.object({
  uid: v.string(),
  authTimeS: v.number(),
  provider: v.optional(v.picklist(['password', 'google.com']), 'password'),
});
export type RefreshRecord = v.InferOutput<typeof RefreshRecord>;

const PREFIX = 'auth/refresh/';
/** The hashes of an account's tokens, by when they were issued. */
const ownedBy = (uid: string): string => `auth/refreshes/${uid}/`;
const MAX_PER_ACCOUNT = 100;

export interface RefreshTokens {
  find(token: string): RefreshRecord | undefined;
  /** Resolves to the token, which is not stored. */
  add(record: RefreshRecord): Promise<string>;
  /** What makes the tokens of an account worthless: all, or the oldest of them. */
  drop(uid: string, count?: number): readonly StoreOperation[];
}

export function createRefreshTokens(store: KeyValueStore): RefreshTokens {
  const drop = (uid: string, count = Infinity): readonly StoreOperation[] =>
    [...entriesUnder(store, ownedBy(uid))].slice(0, count).flatMap(([rest, hash]) => [
      { type: 'del', key: ownedBy(uid) + rest },
      { type: 'del', key: PREFIX + hash },
    ]);

  return {
    drop,
    find(token) {
      const text = store.get(PREFIX + hashToken(token));
      return text === undefined ? undefined : v.parse(RefreshRecord, JSON.parse(text));
    },
    async add(record) {
      const token = randomBytes(32).toString('base64url');
      const hash = hashToken(token);
      const own = [...entriesUnder(store, ownedBy(record.uid))];
      const number = Number.parseInt(own.at(-1)?.[0] ?? '0', 10) + 1;
      await store.write([
        { type: 'put', key: PREFIX + hash, value: JSON.stringify(record) },
        { type: 'put', key: `${ownedBy(record.uid)}${sortable(number)}-${hash}`, value: hash },
        ...drop(record.uid, Math.max(0, own.length - MAX_PER_ACCOUNT + 1)),
      ]);
      return token;
    },
  };
}

const sortable = (number: number): string => String(number).padStart(12, '0');

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
