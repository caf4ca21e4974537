import { SignJWT, errors, jwtVerify } from 'jose';
import type { Account, SignInProvider } from '../accounts/account.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * - RS256 with our own key only: unsigned tokens, other keys, other algorithms, another audience or
 *   issuer and expired tokens are refused.
 * - The payload is that of hosted Firebase Auth.
 */
export const TOKEN_SECONDS = 3600;

export interface VerifiedToken {
  readonly uid: string;
  readonly authTimeS: number;
  readonly expiresAtMs: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

type TokenResult =
  | { readonly ok: true; readonly token: VerifiedToken }
  | { readonly ok: false; readonly reason: 'expired' | 'invalid' };

/** How and when somebody signed in. */
export interface SignInFacts {
  readonly authTimeS: number;
  readonly provider: SignInProvider;
}

export interface IdTokens {
  sign(account: Account, facts: SignInFacts): Promise<string>;
  verify(token: string): Promise<TokenResult>;
}

export interface IdTokensDeps {
  readonly key: SigningKey;
  readonly projectId: string;
  readonly nowMs: () => number;
}

export function createIdTokens({ key, projectId, nowMs }: IdTokensDeps): IdTokens {
  const issuer = `https://securetoken.google.com/${projectId}`;
  return {
    sign(account, facts) {
      const issuedAtS = Math.floor(nowMs() / 1000);
      return new SignJWT(payloadOf(account, facts))
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(projectId)
        .setSubject(account.uid)
        .setIssuedAt(issuedAtS)
        .setExpirationTime(issuedAtS + TOKEN_SECONDS)
        .sign(key.privateKey);
    },
    async verify(token) {
      const options = {
        algorithms: ['RS256'],
        audience: projectId,
        issuer,
        currentDate: new Date(nowMs()),
        requiredClaims: ['sub', 'exp', 'auth_time'],
      };
      try {
        const { payload } = await jwtVerify(token, key.publicKey, options);
        const { sub, exp, auth_time: authTimeS } = payload;
        if (sub === undefined || exp === undefined || typeof authTimeS !== 'number') {
          return { ok: false, reason: 'invalid' };
        }
        const verified = { uid: sub, authTimeS, expiresAtMs: exp * 1000, claims: payload };
        return { ok: true, token: verified };
      } catch (error) {
        const isExpired = error instanceof errors.JWTExpired;
        return { ok: false, reason: isExpired ? 'expired' : 'invalid' };
      }
    },
  };
}

const payloadOf = (account: Account, { authTimeS, provider }: SignInFacts) => ({
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
