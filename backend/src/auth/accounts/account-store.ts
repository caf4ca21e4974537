import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import { Account } from './account.ts';
import { loadRefreshTokens, type RefreshRecord } from '../tokens/refresh-tokens.ts';

/**
 * - `auth/user/<uid>` holds an account.
 * - A change is visible only once it is durable, together with all that must change with it; an
 *   e-mail address is taken from the moment it is asked for, so two sign-ups at once cannot both
 *   get it.
 * - Whoever watches revocations is told after they are durable, and before the change is answered.
 */
export interface AccountStore {
  byUid(uid: string): Account | undefined;
  byEmail(email: string): Account | undefined;
  byGoogleSub(sub: string): Account | undefined;
  /** Those that have signed in with Google, the latest first. */
  googleAccounts(): readonly Account[];
  /** False when the address is taken. Release it when nothing was saved. */
  reserveEmail(email: string): boolean;
  releaseEmail(email: string): void;
  add(account: Account): Promise<void>;
  /**
   * One change of an account at a time; undefined when there is no such account any more. What
   * `change` throws is thrown, and nothing is changed.
   */
  modify(
    uid: string,
    change: (account: Account) => Account,
    options?: ModifyOptions,
  ): Promise<Account | undefined>;
  /** False when there was no such account. */
  remove(uid: string, also: readonly StoreOperation[]): Promise<boolean>;
  /** Resolves to the token, which is not stored. */
  addRefreshToken(record: RefreshRecord): Promise<string>;
  findRefreshToken(token: string): RefreshRecord | undefined;
  /** Called with the uid whenever tokens that were good are good no more. */
  onRevoked(listener: (uid: string) => void): void;
  size(): number;
}

interface ModifyOptions {
  /** The refresh tokens go in the same write. The change itself must raise `validSinceS`. */
  readonly isRevoking?: boolean;
  /** Whoever watches revocations is not told: they find out by themselves within seconds. */
  readonly isQuiet?: boolean;
  /** Further operations of the same write, asked for after `change`. */
  readonly also?: () => readonly StoreOperation[];
}

const USER_PREFIX = 'auth/user/';

export async function loadAccountStore(store: KeyValueStore): Promise<AccountStore> {
  const index = createAccountIndex();
  const refresh = await loadRefreshTokens(store);
  const reserved = new Set<string>();
  const watchers = new Set<(uid: string) => void>();
  const inTurn = createTurns();

  const save = async (account: Account, also: readonly StoreOperation[]) => {
    const value = JSON.stringify(account);
    await store.write([{ type: 'put', key: USER_PREFIX + account.uid, value }, ...also]);
    index.keep(account);
  };
  const tellRevoked = (uid: string) => watchers.forEach((each) => each(uid));

  for await (const [, text] of store.entries(USER_PREFIX)) {
    index.keep(v.parse(Account, JSON.parse(text)));
  }

  return {
    byUid: index.byUid,
    byEmail: index.byEmail,
    byGoogleSub: index.byGoogleSub,
    googleAccounts: index.googleAccounts,
    reserveEmail(email) {
      if (index.byEmail(email) !== undefined || reserved.has(email)) return false;
      reserved.add(email);
      return true;
    },
    releaseEmail: (email) => void reserved.delete(email),
    add: (account) => save(account, []),
    modify: (uid, change, { isRevoking = false, isQuiet = false, also = () => [] } = {}) =>
      inTurn(async () => {
        const account = index.byUid(uid);
        if (account === undefined) return undefined;
        const changed = change(account);
        await save(changed, [...(isRevoking ? refresh.drop(uid) : []), ...also()]);
        if (isRevoking && !isQuiet) tellRevoked(uid);
        return changed;
      }),
    remove: (uid, also) =>
      inTurn(async () => {
        if (index.byUid(uid) === undefined) return false;
        await store.write([{ type: 'del', key: USER_PREFIX + uid }, ...refresh.drop(uid), ...also]);
        index.forget(uid);
        tellRevoked(uid);
        return true;
      }),
    addRefreshToken: (record) => refresh.add(record),
    findRefreshToken: refresh.find,
    onRevoked: (listener) => void watchers.add(listener),
    size: index.size,
  };
}

/** All accounts are in memory, found by what they sign in with. */
function createAccountIndex() {
  const accounts = new Map<string, Account>();
  const uidByEmail = new Map<string, string>();
  const uidBySub = new Map<string, string>();
  const forget = (uid: string) => {
    const account = accounts.get(uid);
    if (account === undefined) return;
    accounts.delete(uid);
    uidByEmail.delete(account.email);
    if (account.google !== null) uidBySub.delete(account.google.sub);
  };
  return {
    forget,
    keep(account: Account) {
      forget(account.uid);
      accounts.set(account.uid, account);
      uidByEmail.set(account.email, account.uid);
      if (account.google !== null) uidBySub.set(account.google.sub, account.uid);
    },
    byUid: (uid: string) => accounts.get(uid),
    byEmail: (email: string) => accounts.get(uidByEmail.get(email) ?? ''),
    byGoogleSub: (sub: string) => accounts.get(uidBySub.get(sub) ?? ''),
    googleAccounts: () =>
      [...accounts.values()]
        .filter((each) => each.google !== null)
        .toSorted((a, b) => b.lastSignInMs - a.lastSignInMs),
    size: () => accounts.size,
  };
}

/** Each task begins when the one before it has ended, however it ended. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };
}
