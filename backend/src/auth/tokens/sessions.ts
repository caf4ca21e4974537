import * as v from 'valibot';
import type { Account, SignInProvider } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { AuthError } from '../auth-error.ts';
import { createIdTokens, type IdTokensDeps, type VerifiedToken } from './id-tokens.ts';
import { createSeal } from './seal.ts';

export interface SignedIn {
  readonly account: Account;
  readonly idToken: string;
  readonly refreshToken: string;
}

export interface SessionsDeps extends IdTokensDeps {
  readonly store: AccountStore;
  /** How recent a sign-in must be to change a password or to delete an account. */
  readonly recentLoginSeconds: number;
}

const RefreshToken = v.object({
  uid: v.string(),
  authTimeS: v.number(),
  provider: v.picklist(['password', 'google.com']),
});

export type Sessions = ReturnType<typeof createSessions>;

/**
 * - An ID token is valid only while its account exists, is enabled, and has not had its tokens revoked since.
 * - A refresh token is checked against the state of its account at the moment it is used.
 */
export function createSessions(deps: SessionsDeps) {
  const { store, key, recentLoginSeconds } = deps;
  const tokens = createIdTokens(deps);
  const refreshTokens = createSeal({ key, purpose: 'refresh token', schema: RefreshToken });
  const nowS = () => Math.floor(deps.nowMs() / 1000);

  /** @throws {AuthError} unless the token is valid now. */
  const authenticate = async (idToken: string) => {
    const token = await tokens.verify(idToken);
    const account = store.byUid(token.uid);
    if (account === undefined) throw new AuthError('USER_NOT_FOUND');
    checkCurrent(account, token.authTimeS);
    return { account, token };
  };

  return {
    authenticate,
    /**
     * Resolves to the caller that an `Authorization` header names, and to null without a header.
     * @throws the error of `refusal` for a token that is not valid now.
     */
    async requireCaller(authorization = '', refusal: () => Error): Promise<VerifiedToken | null> {
      if (authorization === '') return null;
      const idToken = /^(?:Firebase|Bearer) (.+)$/i.exec(authorization)?.[1] ?? '';
      try {
        return (await authenticate(idToken)).token;
      } catch (error) {
        throw error instanceof AuthError ? refusal() : error;
      }
    },
    async start(account: Account, provider: SignInProvider): Promise<SignedIn> {
      // A revocation takes effect at `validSinceS`, the second after it, so a sign-in that follows it must not be earlier.
      const authTimeS = Math.max(nowS(), account.validSinceS);
      return {
        account,
        refreshToken: refreshTokens.seal({ uid: account.uid, authTimeS, provider }),
        idToken: await tokens.sign(account, { authTimeS, provider }),
      };
    },
    /** @throws {AuthError} unless the token is valid and, with `isRecent`, its sign-in is recent. */
    async requireAccount(idToken: string, { isRecent }: { isRecent: boolean }) {
      const { account, token } = await authenticate(idToken);
      if (isRecent && nowS() - token.authTimeS > recentLoginSeconds) {
        throw new AuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
      }
      return account;
    },
    async refresh(refreshToken: string): Promise<SignedIn> {
      const record = refreshTokens.open(refreshToken);
      if (record === undefined) throw new AuthError('INVALID_REFRESH_TOKEN');
      const account = store.byUid(record.uid);
      if (account === undefined) throw new AuthError('USER_NOT_FOUND');
      checkCurrent(account, record.authTimeS);
      return { account, refreshToken, idToken: await tokens.sign(account, record) };
    },
    /** Whether a token of this sign-in that was verified earlier is still valid. */
    isCurrent({ uid, claims: { auth_time: authTimeS } }: Pick<VerifiedToken, 'uid' | 'claims'>) {
      const account = store.byUid(uid);
      if (account === undefined || typeof authTimeS !== 'number') return false;
      return refusalOf(account, authTimeS) === undefined;
    },
  };
}

/** Returns why the account accepts no token of a sign-in at that second; undefined if it does. */
function refusalOf({ isDisabled, validSinceS }: Account, authTimeS: number): string | undefined {
  if (isDisabled) return 'USER_DISABLED';
  return authTimeS < validSinceS ? 'TOKEN_EXPIRED' : undefined;
}

/** @throws {AuthError} unless the account accepts tokens of a sign-in at that second. */
function checkCurrent(account: Account, authTimeS: number): void {
  const refusal = refusalOf(account, authTimeS);
  if (refusal !== undefined) throw new AuthError(refusal);
}
