import { randomBytes } from 'node:crypto';
import type { Account, AccountStore } from './account-store.ts';
import { AuthError } from './auth-error.ts';
import type { IdTokens, VerifiedToken } from './id-tokens.ts';
import type { PasswordHash, Passwords } from './passwords.ts';

/**
 * - Addresses are compared in lower case.
 * - Wrong password and unknown address are one answer, given after the same amount of work.
 * - A token counts only while its account exists and its password is the one it was issued under.
 */
export interface SignedIn {
  readonly account: Account;
  readonly idToken: string;
  readonly refreshToken: string;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface AccountChanges {
  readonly displayName?: string;
  readonly password?: string;
}

type AuthenticationResult =
  | { readonly ok: true; readonly account: Account; readonly token: VerifiedToken }
  | { readonly ok: false; readonly error: AuthError };

export interface Accounts {
  create(credentials: Credentials, displayName?: string): Promise<Account>;
  signUp(credentials: Credentials, displayName?: string): Promise<SignedIn>;
  signIn(credentials: Credentials): Promise<SignedIn>;
  authenticate(idToken: string): Promise<AuthenticationResult>;
  /** A new password ends all other sessions; its own gets new tokens. */
  update(idToken: string, changes: AccountChanges): Promise<SignedIn | Account>;
  remove(idToken: string): Promise<void>;
  refresh(refreshToken: string): Promise<SignedIn>;
  size(): number;
}

export interface AccountsDeps {
  readonly store: AccountStore;
  readonly passwords: Passwords;
  readonly tokens: IdTokens;
  readonly nowMs: () => number;
}

/** How recent a sign-in must be to change a password or delete an account. */
const RECENT_SIGN_IN_S = 300;

export function createAccounts({ store, passwords, tokens, nowMs }: AccountsDeps): Accounts {
  const nowS = () => Math.floor(nowMs() / 1000);

  const startSession = async (account: Account): Promise<SignedIn> => {
    // Not before the password it was made with, which counts from the second after its change.
    const authTimeS = Math.max(nowS(), account.validSinceS);
    const refreshToken = await store.addRefreshToken({ uid: account.uid, authTimeS });
    return { account, refreshToken, idToken: await tokens.sign(account, authTimeS) };
  };

  const create = async (credentials: Credentials, displayName = ''): Promise<Account> => {
    const email = checkEmail(credentials.email);
    checkPassword(credentials.password);
    if (!store.reserveEmail(email)) throw new AuthError('EMAIL_EXISTS');
    try {
      const password = await passwords.hash(credentials.password);
      const account = newAccount({ email, displayName, password }, nowMs());
      await store.add(account);
      return account;
    } finally {
      store.releaseEmail(email);
    }
  };

  const authenticate = async (idToken: string): Promise<AuthenticationResult> => {
    const result = await tokens.verify(idToken);
    if (!result.ok) {
      const code = result.reason === 'expired' ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN';
      return { ok: false, error: new AuthError(code) };
    }
    const account = store.byUid(result.token.uid);
    if (account === undefined) return { ok: false, error: new AuthError('USER_NOT_FOUND') };
    if (result.token.authTimeS < account.validSinceS) {
      return { ok: false, error: new AuthError('TOKEN_EXPIRED') };
    }
    return { ok: true, account, token: result.token };
  };

  const requireAccount = async (idToken: string, options: { isRecent: boolean }) => {
    const result = await authenticate(idToken);
    if (!result.ok) throw result.error;
    if (options.isRecent && nowS() - result.token.authTimeS > RECENT_SIGN_IN_S) {
      throw new AuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
    }
    return result.account;
  };

  const modify = async (uid: string, change: (account: Account) => Account) => {
    const changed = await store.modify(uid, change);
    if (changed === undefined) throw new AuthError('USER_NOT_FOUND');
    return changed;
  };

  return {
    create,
    authenticate,
    signUp: async (credentials, displayName) =>
      startSession(await create(credentials, displayName)),
    async signIn(credentials) {
      const account = store.byEmail(checkEmail(credentials.email));
      if (credentials.password === '') throw new AuthError('MISSING_PASSWORD');
      const isRight = await passwords.verify(credentials.password, account?.password ?? null);
      if (!isRight || account === undefined) throw new AuthError('INVALID_LOGIN_CREDENTIALS');
      const lastSignInMs = nowMs();
      const signedIn = await store.modify(account.uid, (now) => ({ ...now, lastSignInMs }));
      // The password may have been changed, or the account deleted, while it was being checked.
      if (signedIn?.password !== account.password) {
        throw new AuthError('INVALID_LOGIN_CREDENTIALS');
      }
      return startSession(signedIn);
    },
    async update(idToken, { displayName, password }) {
      const account = await requireAccount(idToken, { isRecent: password !== undefined });
      const name = displayName === undefined ? {} : { displayName };
      if (password === undefined) return modify(account.uid, (now) => ({ ...now, ...name }));
      checkPassword(password);
      const secret = {
        password: await passwords.hash(password),
        passwordChangedMs: nowMs(),
        validSinceS: nowS() + 1,
      };
      const changed = await modify(account.uid, (now) => ({ ...now, ...name, ...secret }));
      await store.revokeRefreshTokens(account.uid);
      return startSession(changed);
    },
    async remove(idToken) {
      const account = await requireAccount(idToken, { isRecent: true });
      await store.remove(account.uid);
    },
    async refresh(refreshToken) {
      const record = store.findRefreshToken(refreshToken);
      const account = record === undefined ? undefined : store.byUid(record.uid);
      const isCurrent = record !== undefined && record.authTimeS >= (account?.validSinceS ?? 0);
      if (account === undefined || !isCurrent) {
        throw new AuthError(
          isRefreshToken(refreshToken) ? 'TOKEN_EXPIRED' : 'INVALID_REFRESH_TOKEN',
        );
      }
      return { account, refreshToken, idToken: await tokens.sign(account, record.authTimeS) };
    },
    size: () => store.size(),
  };
}

/** What looks like one of ours was revoked, which signs the client out; the rest is a mistake. */
const isRefreshToken = (token: string): boolean => /^[\w-]{43}$/.test(token);

const newAccount = (
  identity: { email: string; displayName: string; password: PasswordHash },
  nowMs: number,
): Account => ({
  ...identity,
  uid: newUid(),
  createdAtMs: nowMs,
  lastSignInMs: nowMs,
  passwordChangedMs: nowMs,
  validSinceS: Math.floor(nowMs / 1000),
});

/** 28 letters and digits, as those of hosted accounts. */
function newUid(): string {
  let uid = '';
  while (uid.length < 28) uid += randomBytes(32).toString('base64').replace(/[+/=]/g, '');
  return uid.slice(0, 28);
}

const MAX_EMAIL_LENGTH = 254;

function checkEmail(email: string): string {
  if (email === '') throw new AuthError('MISSING_EMAIL');
  if (email.length > MAX_EMAIL_LENGTH || !/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(email)) {
    throw new AuthError('INVALID_EMAIL');
  }
  return email.toLowerCase();
}

const MIN_PASSWORD_LENGTH = 6;
const MAX_PASSWORD_LENGTH = 4096;

function checkPassword(password: string): void {
  if (password === '') throw new AuthError('MISSING_PASSWORD');
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new AuthError('WEAK_PASSWORD', 'Password should be at least 6 characters');
  }
}
