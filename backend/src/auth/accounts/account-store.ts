import * as v from 'valibot';
import {
  entriesUnder,
  underPrefix,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';
import { AuthError } from '../auth-error.ts';
import { Account } from './account.ts';

interface ChangeOptions {
  /** The revocation listeners are called. The change itself must renew `era`, which revokes the tokens. */
  readonly isRevoking?: boolean;
  /** The code of the error when the account no longer exists. */
  readonly missing?: string;
}

const userPrefix = 'auth/user/';
const emailPrefix = 'auth/email/';
const googlePrefix = 'auth/google/';
/** A limit far above what the account chooser of a development server shows. */
const maxGoogleAccounts = 1000;

export type AccountStore = ReturnType<typeof createAccountStore>;

/**
 * - `auth/user/<uid>` holds an account; `auth/email/<address>` and `auth/google/<sub>` its uid.
 * - A change becomes visible only once it is durable, atomically with the records that belong to it.
 * - Changes run one at a time, so two concurrent sign-ups cannot both get an e-mail address. Accounts take turns, since each
 *   change waits for the disk: one with many changes delays no other.
 * - Revocation listeners are called after the revocation is durable, and before the change resolves.
 */
export function createAccountStore(store: KeyValueStore) {
  const watchers = new Set<(uid: string) => void>();
  const queue = createFairQueue(1);

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
    byGoogleSub: (sub: string) => byUid(store.get(googlePrefix + sub) ?? ''),
    /** Returns the accounts that have signed in with Google, the latest sign-in first. */
    googleAccounts: (): readonly Account[] =>
      [...entriesUnder(store, googlePrefix)]
        .slice(0, maxGoogleAccounts)
        .flatMap(([, uid]) => byUid(uid) ?? [])
        .toSorted((a, b) => b.lastSignInMs - a.lastSignInMs),
    /** @throws {AuthError} EMAIL_EXISTS */
    add: (account: Account) =>
      queue.run(account.uid, async () => {
        if (byEmail(account.email) !== undefined) throw new AuthError('EMAIL_EXISTS');
        await save(null, account);
      }),
    /** Changes an account, or nothing when it rejects, also with an error that `change` throws. */
    change: (
      uid: string,
      change: (account: Account) => Account,
      { isRevoking = false, missing = 'USER_NOT_FOUND' }: ChangeOptions = {},
    ) =>
      queue.run(uid, async () => {
        const account = byUid(uid);
        if (account === undefined) throw new AuthError(missing);
        const changed = change(account);
        await save(account, changed);
        if (isRevoking) tellRevoked(uid);
        return changed;
      }),
    /** Resolves to false when there was no such account. */
    remove: (uid: string, also: readonly StoreOperation[]) =>
      queue.run(uid, async () => {
        const account = byUid(uid);
        if (account === undefined) return false;
        await save(account, null, also);
        tellRevoked(uid);
        return true;
      }),
    /** Calls the listener with the uid whenever valid tokens of that account are revoked. */
    onRevoked: (listener: (uid: string) => void) => void watchers.add(listener),
    isEmpty: () => store.count({ ...underPrefix(userPrefix), limit: 1 }) === 0,
  };
}

/** The keys under which an account is found, the key of the record itself first. */
const keysOf = ({ uid, email, google }: Account): readonly string[] => [
  userPrefix + uid,
  emailPrefix + email,
  ...(google === null ? [] : [googlePrefix + google.sub]),
];
