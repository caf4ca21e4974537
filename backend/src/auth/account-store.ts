import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../store/key-value-store.ts';
import { PasswordHash } from './passwords.ts';

/**
 * - `auth/user/<uid>` holds an account, `auth/refresh/<hash>` a refresh token by its SHA-256: the
 *   store never holds what a client signs in with.
 * - A change is visible only once it is durable; an e-mail address is taken from the moment it is
 *   asked for, so two sign-ups at once cannot both get it.
 */
const Account = v.object({
  uid: v.string(),
  /** In lower case. */
  email: v.string(),
  displayName: v.string(),
  password: PasswordHash,
  createdAtMs: v.number(),
  lastSignInMs: v.number(),
  passwordChangedMs: v.number(),
  /** Tokens of an earlier sign-in are refused. */
  validSinceS: v.number(),
});
export type Account = v.InferOutput<typeof Account>;

const RefreshRecord = v.object({ uid: v.string(), authTimeS: v.number() });
type RefreshRecord = v.InferOutput<typeof RefreshRecord>;

export interface AccountStore {
  byUid(uid: string): Account | undefined;
  byEmail(email: string): Account | undefined;
  /** False when the address is taken. Release it when nothing was saved. */
  reserveEmail(email: string): boolean;
  releaseEmail(email: string): void;
  add(account: Account): Promise<void>;
  /** One change of an account at a time; undefined when there is no such account any more. */
  modify(uid: string, change: (account: Account) => Account): Promise<Account | undefined>;
  remove(uid: string): Promise<void>;
  /** Resolves to the token, which is not stored. */
  addRefreshToken(record: RefreshRecord): Promise<string>;
  findRefreshToken(token: string): RefreshRecord | undefined;
  revokeRefreshTokens(uid: string): Promise<void>;
  size(): number;
}

const USER_PREFIX = 'auth/user/';
const REFRESH_PREFIX = 'auth/refresh/';
const MAX_REFRESH_TOKENS = 100;

export async function loadAccountStore(store: KeyValueStore): Promise<AccountStore> {
  const accounts = new Map<string, Account>();
  const uidByEmail = new Map<string, string>();
  const reserved = new Set<string>();
  const refresh = new Map<string, RefreshRecord>();
  const hashesByUid = new Map<string, string[]>();

  const keep = (account: Account) => {
    accounts.set(account.uid, account);
    uidByEmail.set(account.email, account.uid);
  };
  const keepRefresh = (hash: string, record: RefreshRecord) => {
    refresh.set(hash, record);
    hashesByUid.set(record.uid, [...(hashesByUid.get(record.uid) ?? []), hash]);
  };
  const dropRefresh = (uid: string, count: number): readonly StoreOperation[] => {
    const hashes = hashesByUid.get(uid) ?? [];
    hashesByUid.set(uid, hashes.slice(count));
    return hashes.slice(0, count).map((hash) => {
      refresh.delete(hash);
      return { type: 'del', key: REFRESH_PREFIX + hash };
    });
  };

  const save = async (account: Account) => {
    const value = JSON.stringify(account);
    await store.write([{ type: 'put', key: USER_PREFIX + account.uid, value }]);
    keep(account);
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };

  for await (const [, text] of store.entries(USER_PREFIX)) keep(v.parse(Account, JSON.parse(text)));
  for await (const [key, text] of store.entries(REFRESH_PREFIX)) {
    keepRefresh(key.slice(REFRESH_PREFIX.length), v.parse(RefreshRecord, JSON.parse(text)));
  }

  return {
    byUid: (uid) => accounts.get(uid),
    byEmail: (email) => accounts.get(uidByEmail.get(email) ?? ''),
    reserveEmail(email) {
      if (uidByEmail.has(email) || reserved.has(email)) return false;
      reserved.add(email);
      return true;
    },
    releaseEmail: (email) => void reserved.delete(email),
    add: save,
    modify: (uid, change) =>
      inTurn(async () => {
        const account = accounts.get(uid);
        if (account === undefined) return undefined;
        const changed = change(account);
        await save(changed);
        return changed;
      }),
    remove: (uid) =>
      inTurn(async () => {
        const account = accounts.get(uid);
        const tokens = dropRefresh(uid, Infinity);
        await store.write([{ type: 'del', key: USER_PREFIX + uid }, ...tokens]);
        accounts.delete(uid);
        if (account !== undefined) uidByEmail.delete(account.email);
      }),
    async addRefreshToken(record) {
      const token = randomBytes(32).toString('base64url');
      const hash = hashToken(token);
      const surplus = (hashesByUid.get(record.uid)?.length ?? 0) - MAX_REFRESH_TOKENS + 1;
      const value = JSON.stringify(record);
      await store.write([
        { type: 'put', key: REFRESH_PREFIX + hash, value },
        ...dropRefresh(record.uid, Math.max(0, surplus)),
      ]);
      keepRefresh(hash, record);
      return token;
    },
    findRefreshToken: (token) => refresh.get(hashToken(token)),
    async revokeRefreshTokens(uid) {
      await store.write(dropRefresh(uid, Infinity));
    },
    size: () => accounts.size,
  };
}

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
