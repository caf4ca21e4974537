import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { GoogleProfile } from '../accounts/account.ts';
import { AuthError } from '../auth-error.ts';
import type { IdTokensDeps } from '../tokens/id-tokens.ts';
import { createJwt } from '../tokens/jwt.ts';

const issuer = 'https://accounts.google.com';
const tokenSeconds = 300;

const Claims = v.object({ sub: v.string(), email: v.string(), exp: v.number(), name: v.string() });

export type GoogleTokens = ReturnType<typeof createGoogleTokens>;

/**
 * Stands in for Google's own ID tokens: the account chooser hands one to the page, and the page to `signInWithIdp`.
 *
 * - They have an audience of their own, so they and the ID tokens of accounts are not interchangeable.
 * - They expire after five minutes.
 * - An address always has the same id, as at Google.
 */
export function createGoogleTokens({ projectId, ...deps }: IdTokensDeps) {
  const audience = `${projectId}.account-chooser`;
  const jwt = createJwt({ ...deps, issuer, audience, lifetimeS: tokenSeconds });
  return {
    sign: ({ email, displayName }: Pick<GoogleProfile, 'email' | 'displayName'>) =>
      jwt.sign(googleSub(email), { email, email_verified: true, name: displayName }),
    /** @throws {AuthError} INVALID_IDP_RESPONSE */
    async verify(token: string): Promise<GoogleProfile> {
      const claims = v.safeParse(Claims, await jwt.verify(token).catch(() => undefined));
      if (!claims.success) {
        throw new AuthError('INVALID_IDP_RESPONSE', 'The ID token is not one of this server.');
      }
      const { sub, email, name } = claims.output;
      return { sub, email, displayName: name };
    },
  };
}

/** Returns an id of 21 digits, like Google's. */
function googleSub(email: string): string {
  const hash = createHash('sha256').update(`google ${email}`).digest('hex');
  return BigInt(`0x${hash.slice(0, 16)}`)
    .toString()
    .padStart(21, '1');
}
