import type { Account, SignInProvider } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { AuthError } from '../auth-error.ts';
import type { IdTokens, VerifiedToken } from './id-tokens.ts';

/**
 * - A token counts only while its account exists, is not disabled, and was not revoked since.
 * - A refresh token is worth what its account is worth at the moment it is used.
 */
export interface SignedIn {
  readonly account: Account;
  readonly idToken: string;
  readonly refreshToken: string;
}

type AuthenticationResult =
  | { readonly ok: true; readonly account: Account; readonly token: VerifiedToken }
  | { readonly ok: false; readonly error: AuthError };

export interface Sessions {
  start(account: Account, provider: SignInProvider): Promise<SignedIn>;
  authenticate(idToken: string): Promise<AuthenticationResult>;
  /** Who an `Authorization` header speaks for: nobody without one. Undefined for one that does not count. */
  callerOf(authorization: string | undefined): Promise<VerifiedToken | null | undefined>;
  /** @throws {AuthError} unless the token counts, and is of a recent sign-in where that is asked. */
  requireAccount(idToken: string, options: { isRecent: boolean }): Promise<Account>;
  refresh(refreshToken: string): Promise<SignedIn>;
  /** Whether a token of this sign-in, verified earlier, still counts. */
  isCurrent(uid: string, authTimeS: number): boolean;
}

export interface SessionsDeps {
  readonly store: AccountStore;
  readonly tokens: IdTokens;
  readonly nowMs: () => number;
  /** How recent a sign-in must be to change a password or to delete an account. */
  readonly recentLoginSeconds: number;
}

export function createSessions(deps: SessionsDeps): Sessions {
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

  return {
    authenticate,
    async callerOf(authorization = '') {
      if (authorization === '') return null;
      const idToken = /^(?:Firebase|Bearer) (.+)$/i.exec(authorization)?.[1] ?? '';
      const result = await authenticate(idToken);
      return result.ok ? result.token : undefined;
    },
    async start(account, provider) {
      // Not before the revocation it follows, which counts from the second after it.
      const authTimeS = Math.max(nowS(), account.validSinceS);
      const refreshToken = await store.addRefreshToken({ uid: account.uid, authTimeS, provider });
      return {
        account,
        refreshToken,
        idToken: await tokens.sign(account, { authTimeS, provider }),
      };
    },
    async requireAccount(idToken, { isRecent }) {
      const result = await authenticate(idToken);
      if (!result.ok) throw result.error;
      if (isRecent && nowS() - result.token.authTimeS > recentLoginSeconds) {
        throw new AuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
      }
      return result.account;
    },
    async refresh(refreshToken) {
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
    isCurrent: (uid, authTimeS) => refusalOf(store.byUid(uid), authTimeS) === undefined,
  };
}

function refusalOf(account: Account | undefined, authTimeS: number): AuthError | undefined {
  if (account === undefined) return new AuthError('USER_NOT_FOUND');
  if (account.isDisabled) return new AuthError('USER_DISABLED');
  if (authTimeS < account.validSinceS) return new AuthError('TOKEN_EXPIRED');
  return undefined;
}

/** A token that looks like one of ours was revoked, which signs the client out; any other is a mistake. */
const isRefreshToken = (token: string): boolean => /^[\w-]{43}$/.test(token);
