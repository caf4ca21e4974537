import type { Account, SignInProvider } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { AuthError } from '../auth-error.ts';
import type { IdTokens, VerifiedToken } from './id-tokens.ts';

export interface SignedIn {
  readonly account: Account;
  readonly idToken: string;
  readonly refreshToken: string;
}

type AuthenticationResult =
  | { readonly ok: true; readonly account: Account; readonly token: VerifiedToken }
  | { readonly ok: false; readonly error: AuthError };

export interface SessionsDeps {
  readonly store: AccountStore;
  readonly tokens: IdTokens;
  readonly nowMs: () => number;
  /** How recent a sign-in must be to change a password or to delete an account. */
  readonly recentLoginSeconds: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * - An ID token is valid only while its account exists, is enabled, and has not had its tokens revoked since.
 * - A refresh token is checked against the state of its account at the moment it is used.
 */
export function createSessions(deps: SessionsDeps) {
  const { store, tokens, recentLoginSeconds } = deps;
  const nowS = () => Math.floor(deps.nowMs() / 1000);

  const authenticate = async (idToken: string): Promise<AuthenticationResult> => {
    const result = await tokens.verify(idToken);
    if (!result.ok) {
      const code = result.reason === 'expired' ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN';
      return { ok: false, error: new AuthError(code) };
    }
    const account = store.byUid(result.token.uid);
    const refusal = refusalOf(account, result.token.authTimeS);
    if (account === undefined || refusal !== undefined) {
      return { ok: false, error: refusal ?? new AuthError('USER_NOT_FOUND') };
    }
    return { ok: true, account, token: result.token };
  };

  /** Resolves to the caller that an `Authorization` header names: null without a header, undefined for an invalid one. */
  const callerOf = async (authorization = ''): Promise<VerifiedToken | null | undefined> => {
    if (authorization === '') return null;
    const idToken = /^(?:Firebase|Bearer) (.+)$/i.exec(authorization)?.[1] ?? '';
    const result = await authenticate(idToken);
    return result.ok ? result.token : undefined;
  };

  return {
    authenticate,
    callerOf,
    /** As `callerOf`, and throws `refusal` for an invalid token. */
    async requireCaller(authorization: string | undefined, refusal: () => Error) {
      const caller = await callerOf(authorization);
      if (caller === undefined) throw refusal();
      return caller;
    },
    async start(account: Account, provider: SignInProvider): Promise<SignedIn> {
      // A revocation takes effect at `validSinceS`, the second after it, so a sign-in that follows it must not be earlier.
      const authTimeS = Math.max(nowS(), account.validSinceS);
      const refreshToken = await store.addRefreshToken({ uid: account.uid, authTimeS, provider });
      return {
        account,
        refreshToken,
        idToken: await tokens.sign(account, { authTimeS, provider }),
      };
    },
    /** @throws {AuthError} unless the token is valid and, with `isRecent`, its sign-in is recent. */
    async requireAccount(idToken: string, { isRecent }: { isRecent: boolean }) {
      const result = await authenticate(idToken);
      if (!result.ok) throw result.error;
      if (isRecent && nowS() - result.token.authTimeS > recentLoginSeconds) {
        throw new AuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
      }
      return result.account;
    },
    async refresh(refreshToken: string): Promise<SignedIn> {
      const record = store.findRefreshToken(refreshToken);
      const account = record === undefined ? undefined : store.byUid(record.uid);
      if (account?.isDisabled === true) throw new AuthError('USER_DISABLED');
      const isCurrent = record !== undefined && record.authTimeS >= (account?.validSinceS ?? 0);
      if (account === undefined || !isCurrent) {
        throw new AuthError(
          isRefreshToken(refreshToken) ? 'TOKEN_EXPIRED' : 'INVALID_REFRESH_TOKEN',
        );
      }
      return { account, refreshToken, idToken: await tokens.sign(account, record) };
    },
    /** Whether a token of this sign-in that was verified earlier is still valid. */
    isCurrent: ({
      uid,
      claims: { auth_time: authTimeS },
    }: Pick<VerifiedToken, 'uid' | 'claims'>): boolean =>
      typeof authTimeS === 'number' && refusalOf(store.byUid(uid), authTimeS) === undefined,
  };
}

function refusalOf(account: Account | undefined, authTimeS: number): AuthError | undefined {
  if (account === undefined) return new AuthError('USER_NOT_FOUND');
  if (account.isDisabled) return new AuthError('USER_DISABLED');
  if (authTimeS < account.validSinceS) return new AuthError('TOKEN_EXPIRED');
  return undefined;
}

/** Whether the token has our format: then it was revoked, and the client must sign out. Any other is malformed. */
const isRefreshToken = (token: string): boolean => /^[\w-]{43}$/.test(token);
