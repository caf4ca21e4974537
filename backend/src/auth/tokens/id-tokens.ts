import { errors, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import type { AuthContext } from '../../caller.ts';
import type { Account, SignInProvider } from '../accounts/account.ts';
import { AuthError } from '../auth-error.ts';
import type { SigningKey } from './signing-key.ts';

export const tokenSeconds = 3600;

export interface VerifiedToken extends AuthContext {
  readonly claims: v.InferOutput<typeof Claims>;
}

/** The time, the provider and the era of a sign-in. */
export interface SignInFacts {
  readonly authTimeS: number;
  readonly provider: SignInProvider;
  readonly era: string;
}

export interface IdTokensDeps {
  readonly key: SigningKey;
  readonly projectId: string;
  readonly nowMs: () => number;
}

/** A device sends one token for an hour. Verifying it waits for a thread that also hashes passwords and writes files. */
const maxVerified = 5000;

const Claims = v.looseObject({
  sub: v.string(),
  exp: v.number(),
  auth_time: v.number(),
  era: v.optional(v.string(), ''),
});

/**
 * Signs and verifies ID tokens with the payload of hosted Firebase Auth and the era: RS256 with our own key. Unsigned
 * tokens, other keys, algorithms, audiences and issuers are refused.
 */
export function createIdTokens({ key, projectId, nowMs }: IdTokensDeps) {
  const issuer = `https://securetoken.google.com/${projectId}`;
  const wanted = { algorithms: ['RS256'], audience: projectId, issuer };
  /** The tokens that were verified lately, the oldest first. */
  const verified = new Map<string, VerifiedToken>();
  const remember = (token: string, content: VerifiedToken) => {
    verified.set(token, content);
    const [oldest] = verified.keys();
    if (verified.size > maxVerified && oldest !== undefined) verified.delete(oldest);
  };
  return {
    sign(account: Account, facts: SignInFacts) {
      const iat = Math.floor(nowMs() / 1000);
      const times = { iat, exp: iat + tokenSeconds };
      const claims = { ...claimsOf(account, facts), iss: issuer, aud: projectId, ...times };
      return new SignJWT({ ...claims, sub: account.uid })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .sign(key.privateKey);
    },
    /**
     * Verifies that the token is of this server and has not expired; the caller checks whether it was revoked.
     *
     * @throws {AuthError} TOKEN_EXPIRED, INVALID_ID_TOKEN
     */
    async verify(token: string): Promise<VerifiedToken> {
      const known = verified.get(token);
      if (known !== undefined && known.expiresAtMs > nowMs()) return known;
      try {
        const options = { ...wanted, currentDate: new Date(nowMs()) };
        const { payload } = await jwtVerify(token, key.publicKey, options);
        const claims = v.parse(Claims, payload);
        const content = { uid: claims.sub, expiresAtMs: claims.exp * 1000, claims };
        remember(token, content);
        return content;
      } catch (error) {
        const isExpired = error instanceof errors.JWTExpired;
        throw new AuthError(isExpired ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN');
      }
    },
  };
}

const claimsOf = (account: Account, { authTimeS, provider, era }: SignInFacts) => ({
  ...(account.displayName === '' ? {} : { name: account.displayName }),
  ...(account.photoUrl === '' ? {} : { picture: account.photoUrl }),
  auth_time: authTimeS,
  era,
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
