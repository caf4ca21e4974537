import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { AuthError } from '../auth-error.ts';
import { PasswordHash } from '../passwords/passwords.ts';

export type SignInProvider = 'password' | 'google.com';

/** The profile that Google asserts for an account. */
export const GoogleProfile = v.object({
  /** Google's id of the account, as text. */
  sub: v.string(),
  /** The address in the form of `checkEmail`. */
  email: v.string(),
  displayName: v.string(),
});
export type GoogleProfile = v.InferOutput<typeof GoogleProfile>;

export const Account = v.object({
  uid: v.string(),
  /** The address in the form of `checkEmail`. */
  email: v.string(),
  /** Whether the owner has proved the address. */
  emailVerified: v.boolean(),
  displayName: v.string(),
  photoUrl: v.string(),
  /** Null for an account that signs in with Google only. */
  password: v.nullable(PasswordHash),
  google: v.nullable(GoogleProfile),
  isDisabled: v.boolean(),
  createdAtMs: v.number(),
  lastSignInMs: v.number(),
  /** Increases with every change of the password; reset codes that were issued before are thereby recognized as stale. */
  passwordChangedMs: v.number(),
  /** The second of the last revocation. It decides nothing where there is an era: a clock may step back. */
  validSinceS: v.number(),
  /** Random text that each revocation renews. Only tokens of sign-ins that carry the same era are valid. */
  era: v.optional(v.string(), ''),
});
export type Account = v.InferOutput<typeof Account>;

export function newAccount(
  identity: Pick<Account, 'email' | 'displayName' | 'password' | 'google'>,
  nowMs: number,
): Account {
  return {
    ...identity,
    emailVerified: identity.google !== null,
    photoUrl: '',
    isDisabled: false,
    uid: newUid(),
    createdAtMs: nowMs,
    lastSignInMs: nowMs,
    passwordChangedMs: nowMs,
    validSinceS: Math.floor(nowMs / 1000),
    era: newEra(),
  };
}

/** An era is random and no counter, because a counter of a restored backup would repeat eras that were revoked. */
const newEra = (): string => randomBytes(12).toString('base64url');

/** Ends all sessions, whatever the clock said when they began. */
export const withoutSessions = (account: Account, nowMs: number): Account => ({
  ...account,
  validSinceS: Math.floor(nowMs / 1000),
  era: newEra(),
});

/**
 * Checks that the account is enabled and still of that era.
 * @throws {AuthError} USER_DISABLED, TOKEN_EXPIRED
 */
export function checkCurrent(account: Account, era: unknown): void {
  if (account.isDisabled) throw new AuthError('USER_DISABLED');
  if (era !== account.era) throw new AuthError('TOKEN_EXPIRED');
}

export const withPassword = (account: Account, password: PasswordHash, nowMs: number): Account => ({
  ...withoutSessions(account, nowMs),
  password,
  passwordChangedMs: Math.max(nowMs, account.passwordChangedMs + 1),
});

/** Returns 28 random letters and digits, like the uids of hosted accounts. */
function newUid(): string {
  let uid = '';
  while (uid.length < 28) uid += randomBytes(32).toString('base64').replace(/[+/=]/g, '');
  return uid.slice(0, 28);
}

const maxEmailLength = 254;

/**
 * @returns the address in lower case and in composed characters, so that each address has one form.
 * @throws {AuthError} when the text is not an address.
 */
export function checkEmail(text: string): string {
  if (text === '') throw new AuthError('MISSING_EMAIL');
  // Composing takes time that grows with the square of the length: seconds for 100 kB of combining marks.
  if (text.length > 2 * maxEmailLength) throw new AuthError('INVALID_EMAIL');
  // Lower case decomposes some characters.
  const email = text.normalize('NFC').toLowerCase().normalize('NFC');
  // oxlint-disable-next-line no-control-regex -- an address goes into the header of a mail
  const isAddress = /^[^\s@\x00-\x1f\x7f]+@[^\s@.\x00-\x1f\x7f]+(?:\.[^\s@.\x00-\x1f\x7f]+)*$/;
  // A lone surrogate has no UTF-8 encoding: on the disk all such addresses would be the same.
  if (email.length > maxEmailLength || !isAddress.test(email) || /\p{Cs}/u.test(email)) {
    throw new AuthError('INVALID_EMAIL');
  }
  return email;
}

/** Names are part of ID tokens, which are sent in headers: a long name would lock its owner out. */
const maxDisplayNameLength = 256;
const maxPhotoUrlLength = 2048;

export function checkDisplayName(displayName: string): string {
  if (displayName.length > maxDisplayNameLength) throw new AuthError('INVALID_DISPLAY_NAME');
  return displayName;
}

export function checkPhotoUrl(photoUrl: string): string {
  if (photoUrl.length > maxPhotoUrlLength) throw new AuthError('INVALID_PHOTO_URL');
  return photoUrl;
}
