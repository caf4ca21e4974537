import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';

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
const MAX_PER_ACCOUNT = 100;

export async function loadRefreshTokens(store: KeyValueStore) {
  const records = new Map<string, RefreshRecord>();
  const hashesByUid = new Map<string, string[]>();

  const keep = (hash: string, record: RefreshRecord) => {
    records.set(hash, record);
    hashesByUid.set(record.uid, [...(hashesByUid.get(record.uid) ?? []), hash]);
  };
  /** Worth nothing at once; the operations that make it so for ever are the caller's to write. */
  const drop = (uid: string, count = Infinity): readonly StoreOperation[] => {
    const hashes = hashesByUid.get(uid) ?? [];
    const left = hashes.slice(count);
    if (left.length > 0) hashesByUid.set(uid, left);
    else hashesByUid.delete(uid);
    return hashes.slice(0, count).map((hash) => {
      records.delete(hash);
      return { type: 'del', key: PREFIX + hash };
    });
  };

  for await (const [key, text] of store.entries(PREFIX)) {
    keep(key.slice(PREFIX.length), v.parse(RefreshRecord, JSON.parse(text)));
  }

  return {
    drop,
    find: (token: string): RefreshRecord | undefined => records.get(hashToken(token)),
    async add(record: RefreshRecord): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      const hash = hashToken(token);
      const surplus = (hashesByUid.get(record.uid)?.length ?? 0) - MAX_PER_ACCOUNT + 1;
      const dropped = surplus > 0 ? drop(record.uid, surplus) : [];
      const value = JSON.stringify(record);
      await store.write([{ type: 'put', key: PREFIX + hash, value }, ...dropped]);
      keep(hash, record);
      return token;
    },
  };
}

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
