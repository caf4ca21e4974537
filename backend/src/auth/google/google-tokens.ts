import { createHash } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import * as v from 'valibot';
import type { GoogleProfile } from '../accounts/account.ts';
import type { SigningKey } from '../tokens/signing-key.ts';

/**
 * Stands in for Google's own ID tokens: what the account chooser hands to the page, and the page to
 * `signInWithIdp`.
 *
 * - Signed with our key for this use alone: no ID token of an account passes for one, and none of
 *   these for an ID token. Unsigned ones, as emulators take, are refused.
 * - They last five minutes.
 * - One address always has the same id, as it would have at Google.
 */
export interface GoogleTokens {
  sign(identity: { readonly email: string; readonly displayName: string }): Promise<string>;
  verify(token: string): Promise<GoogleProfile | undefined>;
}

export interface GoogleTokensDeps {
  readonly key: SigningKey;
  readonly projectId: string;
  readonly nowMs: () => number;
}

const ISSUER = 'https://accounts.google.com';
const TOKEN_SECONDS = 300;

const Claims = v.object({ sub: v.string(), email: v.string(), name: v.string() });

export function createGoogleTokens({ key, projectId, nowMs }: GoogleTokensDeps): GoogleTokens {
  const audience = `${projectId}.account-chooser`;
  return {
    sign({ email, displayName }) {
      const issuedAtS = Math.floor(nowMs() / 1000);
      return new SignJWT({ email, email_verified: true, name: displayName })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setSubject(googleSub(email))
        .setIssuedAt(issuedAtS)
        .setExpirationTime(issuedAtS + TOKEN_SECONDS)
        .sign(key.privateKey);
    },
    async verify(token) {
      const options = {
        algorithms: ['RS256'],
        audience,
        issuer: ISSUER,
        currentDate: new Date(nowMs()),
        requiredClaims: ['sub', 'exp'],
      };
      const verified = await jwtVerify(token, key.publicKey, options).catch(() => undefined);
      const claims = v.safeParse(Claims, verified?.payload);
      if (!claims.success) return undefined;
      const { sub, email, name } = claims.output;
      return { sub, email, displayName: name };
    },
  };
}

/** 21 digits, as Google's. */
function googleSub(email: string): string {
  const hash = createHash('sha256').update(`google ${email}`).digest('hex');
  return BigInt(`0x${hash.slice(0, 16)}`)
    .toString()
    .padStart(21, '1');
}
