import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import { idTokenOf, text, type AuthMethod } from '../auth-call.ts';
import { AuthError } from '../auth-error.ts';
import { encodeSignedIn, federatedId } from '../accounts/encode-account.ts';
import type { GoogleSignedIn } from './google-sign-in.ts';

/**
 * Signs in with a credential from the URL that the chooser returned to (popup, redirect) or from a form body
 * (`signInWithCredential`).
 */
export const signInWithIdp: AuthMethod = async (body, { service: { google } }) => {
  const credential = credentialOf(body);
  const provider = credential.get('providerId') ?? '';
  if (provider !== 'google.com' || google === null) throw new AuthError('OPERATION_NOT_ALLOWED');
  const googleToken = credential.get('id_token') ?? '';
  if (googleToken === '') throw new AuthError('INVALID_IDP_RESPONSE', 'There is no ID token.');
  const signedIn =
    body['idToken'] === undefined
      ? await google.signIn(googleToken)
      : await google.link(googleToken, idTokenOf(body));
  return encode(signedIn, googleToken);
};

function credentialOf(body: JsonObject): URLSearchParams {
  const postBody = text(body, 'postBody');
  if (postBody !== '') return new URLSearchParams(postBody);
  const requestUri = text(body, 'requestUri');
  if (!URL.canParse(requestUri)) throw new AuthError('INVALID_IDP_RESPONSE');
  return new URL(requestUri).searchParams;
}

const encode = (signedIn: GoogleSignedIn, googleToken: string): JsonObject => ({
  ...encodeSignedIn(signedIn),
  kind: 'identitytoolkit#VerifyAssertionResponse',
  providerId: 'google.com',
  federatedId: federatedId(signedIn.profile.sub),
  fullName: signedIn.profile.displayName,
  oauthIdToken: googleToken,
  isNewUser: signedIn.isNewUser,
  rawUserInfo: JSON.stringify({
    id: signedIn.profile.sub,
    sub: signedIn.profile.sub,
    email: signedIn.profile.email,
    verified_email: true,
    name: signedIn.profile.displayName,
  }),
});

/** Answers the same for every address because of the e-mail enumeration protection. */
export const createAuthUri: AuthMethod = (body) => {
  if (text(body, 'continueUri') === '') throw new AuthError('MISSING_CONTINUE_URI');
  const identifier = text(body, 'identifier');
  if (body['identifier'] !== undefined && !/^[^\s@]+@[^\s@]+$/.test(identifier)) {
    throw new AuthError('INVALID_IDENTIFIER');
  }
  return {
    kind: 'identitytoolkit#CreateAuthUriResponse',
    sessionId: randomBytes(20).toString('base64url'),
  };
};
