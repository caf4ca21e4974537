import type { JsonObject } from '../../json.ts';
import type { Account } from './account.ts';
import type { GoogleSignedIn } from '../google/google-sign-in.ts';
import { tokenSeconds } from '../tokens/id-tokens.ts';
import type { SignedIn } from '../tokens/sessions.ts';

/** Encodes a sign-in as the Identity Toolkit answers it; accounts are encoded without their password hash. */
export const encodeSignedIn = ({ account, idToken, refreshToken }: SignedIn): JsonObject => ({
  ...encodeProfile(account),
  idToken,
  refreshToken,
  expiresIn: String(tokenSeconds),
});

export const encodeGoogleSignedIn = (signedIn: GoogleSignedIn): JsonObject => {
  const { sub, email, displayName } = signedIn.profile;
  return {
    ...encodeSignedIn(signedIn),
    kind: 'identitytoolkit#VerifyAssertionResponse',
    providerId: 'google.com',
    federatedId: federatedId(sub),
    fullName: displayName,
    isNewUser: signedIn.isNewUser,
    rawUserInfo: JSON.stringify({ id: sub, sub, email, verified_email: true, name: displayName }),
  };
};

export const encodeProfile = (account: Account): JsonObject => ({
  localId: account.uid,
  email: account.email,
  displayName: account.displayName,
  ...(account.photoUrl === '' ? {} : { photoUrl: account.photoUrl }),
  emailVerified: account.emailVerified,
  providerUserInfo: encodeProviders(account),
});

export const encodeUser = (account: Account): JsonObject => ({
  ...encodeProfile(account),
  ...(account.password === null ? {} : { passwordUpdatedAt: account.passwordChangedMs }),
  validSince: String(account.validSinceS),
  createdAt: String(account.createdAtMs),
  lastLoginAt: String(account.lastSignInMs),
  disabled: account.isDisabled,
});

function encodeProviders({ email, displayName, photoUrl, password, google }: Account) {
  const byPassword = {
    providerId: 'password',
    email,
    federatedId: email,
    rawId: email,
    displayName,
    ...(photoUrl === '' ? {} : { photoUrl }),
  };
  const byGoogle = {
    providerId: 'google.com',
    email: google?.email,
    federatedId: federatedId(google?.sub ?? ''),
    rawId: google?.sub,
    displayName: google?.displayName,
  };
  return [...(google === null ? [] : [byGoogle]), ...(password === null ? [] : [byPassword])];
}

const federatedId = (sub: string): string => `https://accounts.google.com/${sub}`;
