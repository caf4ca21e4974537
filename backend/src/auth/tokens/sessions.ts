import * as v from 'valibot';
import type { AuthContext } from '../../caller.ts';
import { checkCurrent, type Account, type SignInProvider } from '../accounts/account.ts';
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
  era: v.optional(v.string(), ''),
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

  /** @throws {AuthError} unless the account of the sign-in accepts its tokens now. */
  const accountOf = (uid: string, { era, auth_time: authTimeS }: AuthContext['claims']) => {
    const account = store.byUid(uid);
    if (account === undefined) throw new AuthError('USER_NOT_FOUND');
    checkCurrent(account, era);
    // A version without eras left the empty one, in which the time tells the sign-ins before a revocation.
    const isRevoked = era === '' && Number(authTimeS) < account.validSinceS;
    if (isRevoked) throw new AuthError('TOKEN_EXPIRED');
    return account;
  };

  /** @throws {AuthError} unless the token is valid now. */
  const authenticate = async (idToken: string) => {
    const token = await tokens.verify(idToken);
    return { account: accountOf(token.uid, token.claims), token };
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
      const { uid, era, validSinceS } = account;
      // Without an era, a sign-in that follows a revocation is told by its time, also after the clock was set back.
      const authTimeS = era === '' ? Math.max(nowS(), validSinceS) : nowS();
      const facts = { authTimeS, provider, era };
      return {
        account,
        refreshToken: refreshTokens.seal({ uid, ...facts }),
        idToken: await tokens.sign(account, facts),
      };
    },
    /** @throws {AuthError} unless the token is valid and, with `isRecent`, its sign-in is recent. */
    async requireAccount(idToken: string, { isRecent }: { isRecent: boolean }) {
      const { account, token } = await authenticate(idToken);
      const { auth_time, era } = token.claims;
      const ageS = nowS() - auth_time;
      // A sign-in of the future is of a clock that was ahead, and says nothing about its age. Without an era, `start` dates it so.
      const isOld = (era === '' ? ageS : Math.abs(ageS)) > recentLoginSeconds;
      if (isRecent && isOld) {
        throw new AuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
      }
      return account;
    },
    async refresh(refreshToken: string): Promise<SignedIn> {
      const record = refreshTokens.open(refreshToken);
      if (record === undefined) throw new AuthError('INVALID_REFRESH_TOKEN');
      const account = accountOf(record.uid, { era: record.era, auth_time: record.authTimeS });
      return { account, refreshToken, idToken: await tokens.sign(account, record) };
    },
    /** Whether a token of this sign-in that was verified earlier is still valid. */
    isCurrent({ uid, claims }: Pick<AuthContext, 'uid' | 'claims'>): boolean {
      try {
        accountOf(uid, claims);
        return true;
      } catch (error) {
        if (error instanceof AuthError) return false;
        throw error;
      }
    },
  };
}
