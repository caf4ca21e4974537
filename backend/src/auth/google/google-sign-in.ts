import { createHash } from 'node:crypto';
import * as v from 'valibot';
import {
  checkCurrent,
  checkDisplayName,
  checkEmail,
  newAccount,
  withoutSessions,
  type Account,
  type GoogleProfile,
} from '../accounts/account.ts';
import type { AccountsDeps } from '../accounts/accounts.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';
import { AuthError } from '../auth-error.ts';
import { createSeal } from '../tokens/seal.ts';
import type { SignedIn } from '../tokens/sessions.ts';
import type { SigningKey } from '../tokens/signing-key.ts';

export interface GoogleSignedIn extends SignedIn {
  readonly profile: GoogleProfile;
  readonly isNewUser: boolean;
}

interface GoogleSignInDeps extends Pick<
  AccountsDeps,
  'store' | 'sessions' | 'nowMs' | 'takesSignUps'
> {
  readonly key: SigningKey;
}

const maxKnown = 50;
const lifetimeMs = 300_000;

/**
 * The content of a token that replaces Google's ID token. The account chooser issues it, and the page sends it to
 * `signInWithIdp`.
 */
const GoogleToken = v.object({
  email: v.string(),
  displayName: v.string(),
  expiresAtMs: v.number(),
});

export type GoogleSignIn = ReturnType<typeof createGoogleSignIn>;

/**
 * Simulated sign-in with Google through the account chooser. It follows hosted Firebase with one account per address:
 *
 * - An address from Google counts as verified. An existing account with that address loses its password and its sessions
 *   if its address was unverified, since its creator may not own the address; otherwise it keeps its password and Google
 *   is linked to it. It always has the same id, as at Google.
 * - Sign-ins are serialized, so that two concurrent ones do not create two accounts.
 */
export function createGoogleSignIn(deps: GoogleSignInDeps) {
  const { store, sessions, key, nowMs } = deps;
  const tokens = createSeal({ key, purpose: 'google sign-in', schema: GoogleToken });
  const queue = createFairQueue(1);

  /** @throws {AuthError} INVALID_IDP_RESPONSE */
  const verify = (token: string): GoogleProfile => {
    const record = tokens.open(token);
    if (record === undefined || record.expiresAtMs <= nowMs()) {
      throw new AuthError('INVALID_IDP_RESPONSE', 'The ID token is not one of this server.');
    }
    const { email, displayName } = record;
    return { sub: googleSub(email), email, displayName };
  };

  const register = async (google: GoogleProfile): Promise<Account> => {
    if (!deps.takesSignUps) throw new AuthError('ADMIN_ONLY_OPERATION');
    const { email, displayName } = google;
    const account = newAccount({ email, displayName, password: null, google }, nowMs());
    await store.add(account);
    return account;
  };

  const enter = async (account: Account, google: GoogleProfile): Promise<Account> => {
    if (account.isDisabled) throw new AuthError('USER_DISABLED');
    const isTakeover = !account.emailVerified && account.email === google.email;
    const change = (now: Account): Account => ({
      ...(isTakeover ? { ...withoutSessions(now, nowMs()), password: null } : now),
      google,
      emailVerified: now.emailVerified || now.email === google.email,
      displayName: now.displayName === '' ? google.displayName : now.displayName,
      lastSignInMs: nowMs(),
    });
    return store.change(account.uid, change, { isRevoking: isTakeover });
  };

  return {
    /** Returns the accounts that the chooser shows, the latest sign-in first. */
    knownAccounts: (): readonly GoogleProfile[] =>
      store
        .googleAccounts()
        .flatMap(({ google }) => google ?? [])
        .slice(0, maxKnown),
    /** Resolves to a token of the chosen identity, for `signIn` and `link`. @throws {AuthError} INVALID_EMAIL */
    async choose({ email, displayName }: Pick<GoogleProfile, 'email' | 'displayName'>) {
      return tokens.seal({
        email: checkEmail(email),
        displayName: checkDisplayName(displayName.trim()),
        expiresAtMs: nowMs() + lifetimeMs,
      });
    },
    async signIn(googleToken: string): Promise<GoogleSignedIn> {
      const profile = verify(googleToken);
      return queue.run(profile.sub, async () => {
        const known = store.byGoogleSub(profile.sub) ?? store.byEmail(profile.email);
        const account = known === undefined ? await register(profile) : await enter(known, profile);
        const session = await sessions.start(account, 'google.com');
        return { ...session, profile, isNewUser: known === undefined };
      });
    },
    /** Links Google to the account of an ID token. */
    async link(googleToken: string, idToken: string): Promise<GoogleSignedIn> {
      const profile = verify(googleToken);
      const account = await sessions.requireAccount(idToken, { isRecent: false });
      const { uid } = account;
      return queue.run(profile.sub, async () => {
        const holder = store.byGoogleSub(profile.sub);
        if (holder !== undefined && holder.uid !== uid) {
          throw new AuthError('FEDERATED_USER_ID_ALREADY_LINKED');
        }
        const namesake = store.byEmail(profile.email);
        if (namesake !== undefined && namesake.uid !== uid) throw new AuthError('EMAIL_EXISTS');
        const changed = await store.change(uid, (now) => {
          checkCurrent(now, account.era);
          const emailVerified = now.emailVerified || now.email === profile.email;
          return { ...now, google: profile, emailVerified };
        });
        const session = await sessions.start(changed, 'google.com');
        return { ...session, profile, isNewUser: false };
      });
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
