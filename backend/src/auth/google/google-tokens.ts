import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { GoogleProfile } from '../accounts/account.ts';
import { AuthError } from '../auth-error.ts';
import { createSeal, type SealOptions } from '../tokens/seal.ts';

const lifetimeMs = 300_000;

const schema = v.object({
  sub: v.string(),
  email: v.string(),
  displayName: v.string(),
  expiresAtMs: v.number(),
});

export type GoogleTokens = ReturnType<typeof createGoogleTokens>;

/**
 * Stands in for Google's own ID tokens: the account chooser hands one to the page, and the page to `signInWithIdp`.
 *
 * - They expire after five minutes.
 * - An address always has the same id, as at Google.
 */
export function createGoogleTokens(key: SealOptions<unknown>['key'], nowMs: () => number) {
  const records = createSeal({ key, purpose: 'google sign-in', schema });
  return {
    sign: ({ email, displayName }: Pick<GoogleProfile, 'email' | 'displayName'>) =>
      records.seal({
        sub: googleSub(email),
        email,
        displayName,
        expiresAtMs: nowMs() + lifetimeMs,
      }),
    /** @throws {AuthError} INVALID_IDP_RESPONSE */
    verify(token: string): GoogleProfile {
      const record = records.open(token);
      if (record === undefined || record.expiresAtMs <= nowMs()) {
        throw new AuthError('INVALID_IDP_RESPONSE', 'The ID token is not one of this server.');
      }
      const { sub, email, displayName } = record;
      return { sub, email, displayName };
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
