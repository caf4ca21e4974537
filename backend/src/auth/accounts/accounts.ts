import { isOwnMachine } from '../../limits/client.ts';
import type { Resources } from '../../limits/resources.ts';
import {
  checkCurrent,
  checkDisplayName,
  checkEmail,
  checkPhotoUrl,
  newAccount,
  withPassword,
  withoutSessions,
  type Account,
} from './account.ts';
import type { AccountStore } from './account-store.ts';
import { AuthError } from '../auth-error.ts';
import type { DeletionListener, Deletions } from './deletions.ts';
import { checkPassword } from '../passwords/password-policy.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Sessions, SignedIn } from '../tokens/sessions.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

type AccountChanges = Record<'displayName' | 'photoUrl' | 'password', string | undefined>;

export interface NewUser extends Credentials {
  readonly displayName?: string;
}

/** The address under which passwords of the administrator are queued for hashing. */
const thisProcess = '127.0.0.1';

export interface AccountsDeps {
  readonly store: AccountStore;
  readonly sessions: Sessions;
  readonly deletions: Deletions;
  readonly passwords: Passwords;
  readonly resources: Resources;
  readonly nowMs: () => number;
  readonly takesSignUps: boolean;
}

export type AdminAccounts = ReturnType<typeof createAccounts>['admin'];

/**
 * - E-mail addresses are compared in lower case and in composed characters.
 * - A wrong password and an unknown address get the same answer after the same amount of work. Only wrong passwords count
 *   as attempts, for unknown addresses as for known ones.
 * - Changing the password, disabling the account or deleting it ends every earlier session.
 * - A deletion and its event are one write.
 */
export function createAccounts(deps: AccountsDeps) {
  const { store, sessions, deletions, passwords, resources, nowMs } = deps;

  /** @param address the network address of the client. */
  const create = async (credentials: NewUser, address: string): Promise<Account> => {
    const { displayName = '' } = credentials;
    const email = checkEmail(credentials.email);
    checkPassword(credentials.password);
    checkDisplayName(displayName);
    if (store.byEmail(email) !== undefined) throw new AuthError('EMAIL_EXISTS');
    const password = await passwords.hash(credentials.password, address);
    const account = newAccount({ email, displayName, password, google: null }, nowMs());
    await store.add(account);
    return account;
  };

  const checkCredentials = async (
    email: string,
    password: string,
    address: string,
  ): Promise<Account> => {
    const account = store.byEmail(email);
    const isRight = await passwords.verify(password, account?.password ?? null, address);
    if (!isRight || account === undefined) throw new AuthError('INVALID_LOGIN_CREDENTIALS');
    const lastSignInMs = nowMs();
    const missing = 'INVALID_LOGIN_CREDENTIALS';
    const signedIn = await store.change(account.uid, (now) => ({ ...now, lastSignInMs }), {
      missing,
    });
    if (signedIn.isDisabled) throw new AuthError('USER_DISABLED');
    // While the password was being checked, it may have been changed, or the account been taken over by Google's sign-in.
    if (signedIn.era !== account.era) throw new AuthError(missing);
    return signedIn;
  };

  /** Deletes a user on behalf of the administrator. It is idempotent: an unknown uid is no error. */
  const removeUser = async (uid: string): Promise<void> => {
    if (await store.remove(uid, [deletions.recordOf(uid)])) deletions.publish(uid);
  };

  return {
    /** The administrator's interface: it needs no permission, but the password policy applies. */
    admin: {
      async createUser(user: NewUser) {
        const { uid } = await create(user, thisProcess);
        return { uid };
      },
      findUser(email: string) {
        const found = store.byEmail(email);
        return found === undefined ? null : { uid: found.uid, isDisabled: found.isDisabled };
      },
      deleteUser: removeUser,
      async setDisabled(uid: string, isDisabled: boolean) {
        const change = (now: Account) => ({
          ...(isDisabled ? withoutSessions(now, nowMs()) : now),
          isDisabled,
        });
        await store.change(uid, change, { isRevoking: isDisabled });
      },
      /** Resolves to the owner of the token; null unless the token is valid now. */
      async verifyIdToken(idToken: string) {
        const found = await sessions.authenticate(idToken).catch(() => null);
        return found && { uid: found.account.uid };
      },
      /**
       * Delivers an event for every deleted account, including those deleted while there was no listener. An event is
       * delivered at least once, until the listener resolves, and survives crashes.
       */
      onDeleted: (listener: DeletionListener) => deletions.onDeleted(listener),
    },
    async signUp(credentials: NewUser, address: string) {
      // The answer of a hosted project whose sign-up is switched off.
      if (!deps.takesSignUps) throw new AuthError('ADMIN_ONLY_OPERATION');
      if (!isOwnMachine(address)) resources.attempt([{ rate: 'newAccounts', key: address }]);
      return sessions.start(await create(credentials, address), 'password');
    },
    async signIn(credentials: Credentials, address: string) {
      const email = checkEmail(credentials.email);
      if (credentials.password === '') throw new AuthError('MISSING_PASSWORD');
      const wrongPasswords = { rate: 'wrongPasswords', key: `${address} ${email}` } as const;
      const attempt = resources.attempt([
        wrongPasswords,
        { rate: 'wrongPasswordsOfAddress', key: address },
      ]);
      const { password } = credentials;
      const account = await checkCredentials(email, password, address).catch((error) => {
        if (!isWrongPassword(error)) attempt.takeBack();
        throw error;
      });
      attempt.takeBack();
      resources.forgive(wrongPasswords);
      return sessions.start(account, 'password');
    },
    /** Changes the profile. A new password ends all other sessions, and the calling session gets new tokens. */
    async update(
      idToken: string,
      { displayName, photoUrl, password }: AccountChanges,
      address: string,
    ): Promise<SignedIn | Account> {
      const isRecent = password !== undefined;
      const account = await sessions.requireAccount(idToken, { isRecent });
      const { uid } = account;
      const withProfile = (now: Account): Account => ({
        ...now,
        displayName: checkDisplayName(displayName ?? now.displayName),
        photoUrl: checkPhotoUrl(photoUrl ?? now.photoUrl),
      });
      if (password === undefined) return store.change(uid, withProfile);
      checkPassword(password);
      const hash = await passwords.hash(password, address);
      const change = (now: Account) => {
        // The check is repeated inside the serialized change: a concurrent password reset ends this session too.
        checkCurrent(now, account.era);
        return withProfile(withPassword(now, hash, nowMs()));
      };
      // The revocation listeners are not called, since open streams notice it within seconds: a stream that ends before
      // this answer arrives makes the client use its old refresh token, which signs out the session that changed the password.
      const changed = await store.change(uid, change);
      return sessions.start(changed, 'password');
    },
    async remove(idToken: string) {
      await removeUser((await sessions.requireAccount(idToken, { isRecent: true })).uid);
    },
  };
}

const isWrongPassword = (error: unknown): boolean =>
  error instanceof AuthError && error.code === 'INVALID_LOGIN_CREDENTIALS';
