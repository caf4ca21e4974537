import * as v from 'valibot';
import {
  entriesUnder,
  underPrefix,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createTurns } from '../../store/turns.ts';
import { Account } from './account.ts';
import { createResetCodes } from '../passwords/reset-codes.ts';
import { createRefreshTokens, type RefreshRecord } from '../tokens/refresh-tokens.ts';

/**
 * - `auth/user/<uid>` holds an account; `auth/email/<address>` and `auth/google/<sub>` its uid.
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
  isEmpty(): boolean;
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
const EMAIL_PREFIX = 'auth/email/';
const GOOGLE_PREFIX = 'auth/google/';
/** The chooser of a development server shows far fewer. */
const MAX_GOOGLE_ACCOUNTS = 1000;

export function createAccountStore(store: KeyValueStore): AccountStore {
  const refresh = createRefreshTokens(store);
  const resets = createResetCodes(store);
  const reserved = new Set<string>();
  const watchers = new Set<(uid: string) => void>();
  const turns = createTurns();

  const byUid = (uid: string): Account | undefined => {
    const text = uid === '' ? undefined : store.get(USER_PREFIX + uid);
    return text === undefined ? undefined : v.parse(Account, JSON.parse(text));
  };
  const byEmail = (email: string) => byUid(store.get(EMAIL_PREFIX + email) ?? '');

  /** Replaces `before` by `after`; null is no account. */
  const save = (
    before: Account | null,
    after: Account | null,
    also: readonly StoreOperation[] = [],
  ): Promise<void> =>
    store.write([
      ...(before === null ? [] : keysOf(before).map((key) => ({ type: 'del', key }) as const)),
      ...(after === null
        ? []
        : keysOf(after).map((key, at): StoreOperation => ({
            type: 'put',
            key,
            value: at === 0 ? JSON.stringify(after) : after.uid,
          }))),
      ...also,
    ]);
  const tellRevoked = (uid: string) => watchers.forEach((each) => each(uid));

  return {
    byUid,
    byEmail,
    byGoogleSub: (sub) => byUid(store.get(GOOGLE_PREFIX + sub) ?? ''),
    googleAccounts: () =>
      [...entriesUnder(store, GOOGLE_PREFIX)]
        .slice(0, MAX_GOOGLE_ACCOUNTS)
        .flatMap(([, uid]) => byUid(uid) ?? [])
        .toSorted((a, b) => b.lastSignInMs - a.lastSignInMs),
    reserveEmail(email) {
      if (byEmail(email) !== undefined || reserved.has(email)) return false;
      reserved.add(email);
      return true;
    },
    releaseEmail: (email) => void reserved.delete(email),
    add: (account) => save(null, account),
    modify: (uid, change, { isRevoking = false, isQuiet = false, also = () => [] } = {}) =>
      turns.run(async () => {
        const account = byUid(uid);
        if (account === undefined) return undefined;
        const changed = change(account);
        await save(account, changed, [...(isRevoking ? refresh.drop(uid) : []), ...also()]);
        if (isRevoking && !isQuiet) tellRevoked(uid);
        return changed;
      }),
    remove: (uid, also) =>
      turns.run(async () => {
        const account = byUid(uid);
        if (account === undefined) return false;
        await save(account, null, [...refresh.drop(uid), ...resets.drop(uid), ...also]);
        tellRevoked(uid);
        return true;
      }),
    addRefreshToken: (record) => refresh.issue(record),
    findRefreshToken: (token) => refresh.find(token),
    onRevoked: (listener) => void watchers.add(listener),
    isEmpty: () => store.count({ ...underPrefix(USER_PREFIX), limit: 1 }) === 0,
  };
}

/** The keys under which an account is found, its own first. */
const keysOf = ({ uid, email, google }: Account): readonly string[] => [
  USER_PREFIX + uid,
  EMAIL_PREFIX + email,
  ...(google === null ? [] : [GOOGLE_PREFIX + google.sub]),
];
