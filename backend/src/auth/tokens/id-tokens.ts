import { errors } from 'jose';
import * as v from 'valibot';
import type { AuthContext } from '../../caller.ts';
import type { Account, SignInProvider } from '../accounts/account.ts';
import { AuthError } from '../auth-error.ts';
import { createJwt, type JwtOptions } from './jwt.ts';

export const tokenSeconds = 3600;

export interface VerifiedToken extends AuthContext {
  readonly authTimeS: number;
}

/** The time and the provider of a sign-in. */
export interface SignInFacts {
  readonly authTimeS: number;
  readonly provider: SignInProvider;
}

export interface IdTokensDeps extends Pick<JwtOptions, 'key' | 'nowMs'> {
  readonly projectId: string;
}

/** A device sends one token for an hour. Verifying it waits for a thread that also hashes passwords and writes files. */
const maxVerified = 5000;

const Claims = v.looseObject({ sub: v.string(), exp: v.number(), auth_time: v.number() });

/** Signs and verifies ID tokens with the payload of hosted Firebase Auth. */
export function createIdTokens({ projectId, ...deps }: IdTokensDeps) {
  const issuer = `https://securetoken.google.com/${projectId}`;
  const jwt = createJwt({ ...deps, issuer, audience: projectId, lifetimeS: tokenSeconds });
  /** The tokens that were verified lately, the oldest first. */
  const verified = new Map<string, VerifiedToken>();
  const remember = (token: string, content: VerifiedToken) => {
    verified.set(token, content);
    const [oldest] = verified.keys();
    if (verified.size > maxVerified && oldest !== undefined) verified.delete(oldest);
  };
  return {
    sign: (account: Account, facts: SignInFacts) => jwt.sign(account.uid, claimsOf(account, facts)),
    /**
     * Verifies that the token is of this server and has not expired; the caller checks whether it was revoked.
     *
     * @throws {AuthError} TOKEN_EXPIRED, INVALID_ID_TOKEN
     */
    async verify(token: string): Promise<VerifiedToken> {
      const known = verified.get(token);
      if (known !== undefined && known.expiresAtMs > deps.nowMs()) return known;
      try {
        const claims = v.parse(Claims, await jwt.verify(token));
        const { sub: uid, exp, auth_time: authTimeS } = claims;
        const content = { uid, authTimeS, expiresAtMs: exp * 1000, claims };
        remember(token, content);
        return content;
      } catch (error) {
        const isExpired = error instanceof errors.JWTExpired;
        throw new AuthError(isExpired ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN');
      }
    },
  };
}

const claimsOf = (account: Account, { authTimeS, provider }: SignInFacts) => ({
  ...(account.displayName === '' ? {} : { name: account.displayName }),
  ...(account.photoUrl === '' ? {} : { picture: account.photoUrl }),
  auth_time: authTimeS,
  user_id: account.uid,
  email: account.email,
  email_verified: account.emailVerified,
  firebase: {
    identities: {
      ...(account.google === null ? {} : { 'google.com': [account.google.sub] }),
      email: [account.email],
    },
    sign_in_provider: provider,
  },
});
