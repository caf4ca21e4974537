import * as v from 'valibot';
import {
  entriesUnder,
  underPrefix,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createSerialQueue } from '../../store/serial-queue.ts';
import { Account } from './account.ts';
import { createResetCodes } from '../passwords/reset-codes.ts';
import { createRefreshTokens, type RefreshRecord } from '../tokens/refresh-tokens.ts';

/**
 * - `auth/user/<uid>` holds an account; `auth/email/<address>` and `auth/google/<sub>` its uid.
 * - A change becomes visible only once it is durable, atomically with the records that belong to it.
 * - An e-mail address is reserved before the sign-up is saved, so two concurrent sign-ups cannot both get it.
 * - Revocation listeners are called after the revocation is durable, and before the change resolves.
 */
export interface AccountStore {
  byUid(uid: string): Account | undefined;
  byEmail(email: string): Account | undefined;
  byGoogleSub(sub: string): Account | undefined;
  /** The accounts that have signed in with Google, the latest sign-in first. */
  googleAccounts(): readonly Account[];
  /** Returns false when the address is taken. The caller releases the reservation after saving or failing to. */
  reserveEmail(email: string): boolean;
  releaseEmail(email: string): void;
  add(account: Account): Promise<void>;
  /**
   * Changes an account; changes run one at a time. Resolves to undefined when the account no longer exists. Rejects with
   * the error that `change` throws, and then changes nothing.
   */
  modify(
    uid: string,
    change: (account: Account) => Account,
    options?: ModifyOptions,
  ): Promise<Account | undefined>;
  /** Resolves to false when there was no such account. */
  remove(uid: string, also: readonly StoreOperation[]): Promise<boolean>;
  /** Resolves to the token, which itself is not stored. */
  addRefreshToken(record: RefreshRecord): Promise<string>;
  findRefreshToken(token: string): RefreshRecord | undefined;
  /** Calls the listener with the uid whenever valid tokens of that account are revoked. */
  onRevoked(listener: (uid: string) => void): void;
  isEmpty(): boolean;
}

interface ModifyOptions {
  /** The same write deletes the refresh tokens. The change itself must raise `validSinceS`. */
  readonly isRevoking?: boolean;
  /** The revocation listeners are not called: open streams notice by themselves within seconds. */
  readonly isQuiet?: boolean;
  /** Returns further operations of the same write; called after `change`. */
  readonly also?: () => readonly StoreOperation[];
}

const userPrefix = 'auth/user/';
const emailPrefix = 'auth/email/';
const googlePrefix = 'auth/google/';
/** A limit far above what the account chooser of a development server shows. */
const maxGoogleAccounts = 1000;

export function createAccountStore(store: KeyValueStore): AccountStore {
  const refresh = createRefreshTokens(store);
  const resets = createResetCodes(store);
  const reserved = new Set<string>();
  const watchers = new Set<(uid: string) => void>();
  const queue = createSerialQueue();

  const byUid = (uid: string): Account | undefined => {
    const text = uid === '' ? undefined : store.get(userPrefix + uid);
    return text === undefined ? undefined : v.parse(Account, JSON.parse(text));
  };
  const byEmail = (email: string) => byUid(store.get(emailPrefix + email) ?? '');

  /** Replaces `before` by `after`; null stands for no account. */
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
    byGoogleSub: (sub) => byUid(store.get(googlePrefix + sub) ?? ''),
    googleAccounts: () =>
      [...entriesUnder(store, googlePrefix)]
        .slice(0, maxGoogleAccounts)
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
      queue.run(async () => {
        const account = byUid(uid);
        if (account === undefined) return undefined;
        const changed = change(account);
        await save(account, changed, [...(isRevoking ? refresh.drop(uid) : []), ...also()]);
        if (isRevoking && !isQuiet) tellRevoked(uid);
        return changed;
      }),
    remove: (uid, also) =>
      queue.run(async () => {
        const account = byUid(uid);
        if (account === undefined) return false;
        await save(account, null, [...refresh.drop(uid), ...resets.drop(uid), ...also]);
        tellRevoked(uid);
        return true;
      }),
    addRefreshToken: (record) => refresh.issue(record),
    findRefreshToken: (token) => refresh.find(token),
    onRevoked: (listener) => void watchers.add(listener),
    isEmpty: () => store.count({ ...underPrefix(userPrefix), limit: 1 }) === 0,
  };
}

/** The keys under which an account is found, the key of the record itself first. */
const keysOf = ({ uid, email, google }: Account): readonly string[] => [
  userPrefix + uid,
  emailPrefix + email,
  ...(google === null ? [] : [googlePrefix + google.sub]),
];
