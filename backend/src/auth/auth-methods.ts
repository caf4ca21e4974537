import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import {
  encodeGoogleSignedIn,
  encodeProfile,
  encodeSignedIn,
  encodeUser,
} from './accounts/encode-account.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';
import { tokenSeconds } from './tokens/id-tokens.ts';

/** The context of a call: everything that a method gets besides its body. */
export interface AuthCall {
  readonly service: AuthService;
  readonly address: string;
  readonly apiKey: string;
  /** The origin of the calling page as the request headers name it. */
  readonly pageOrigin: string;
}

/** A method of the Identity Toolkit: it maps a decoded request body to a response body. */
type AuthMethod = (body: JsonObject, call: AuthCall) => Promise<JsonObject> | JsonObject;

const methods: Readonly<Record<string, AuthMethod>> = {
  async signUp(body, { service, address }) {
    const isAnonymous = body['email'] === undefined && body['password'] === undefined;
    if (isAnonymous || body['idToken'] !== undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
    const wanted = { ...credentialsOf(body), displayName: text(body, 'displayName') };
    const signedIn = await service.accounts.signUp(wanted, address);
    // The SDK takes from this kind that the user is new.
    return { ...encodeSignedIn(signedIn), kind: 'identitytoolkit#SignupNewUserResponse' };
  },
  async signInWithPassword(body, { service, address }) {
    const signedIn = await service.accounts.signIn(credentialsOf(body), address);
    return { ...encodeSignedIn(signedIn), registered: true };
  },
  /**
   * Signs in with a credential from the URL that the chooser returned to (popup, redirect) or from a form body
   * (`signInWithCredential`).
   */
  async signInWithIdp(body, { service: { google } }) {
    const credential = idpCredentialOf(body);
    const provider = credential.get('providerId') ?? '';
    if (provider !== 'google.com' || google === null) throw new AuthError('OPERATION_NOT_ALLOWED');
    const googleToken = credential.get('id_token') ?? '';
    if (googleToken === '') throw new AuthError('INVALID_IDP_RESPONSE', 'There is no ID token.');
    const signedIn =
      body['idToken'] === undefined
        ? await google.signIn(googleToken)
        : await google.link(googleToken, idTokenOf(body));
    return { ...encodeGoogleSignedIn(signedIn), oauthIdToken: googleToken };
  },
  async lookup(body, { service }) {
    const { account } = await service.sessions.authenticate(idTokenOf(body));
    return { users: [encodeUser(account)] };
  },
  async update(body, { service, address }) {
    if (notChangeable.some((each) => body[each] !== undefined)) {
      throw new AuthError('OPERATION_NOT_ALLOWED');
    }
    const { deleteAttribute } = body;
    const deleted: readonly unknown[] = Array.isArray(deleteAttribute) ? deleteAttribute : [];
    const changeOf = (key: string, attribute: string) =>
      deleted.includes(attribute) ? '' : typeof body[key] === 'string' ? body[key] : undefined;
    const changes = {
      displayName: changeOf('displayName', 'DISPLAY_NAME'),
      photoUrl: changeOf('photoUrl', 'PHOTO_URL'),
      password: body['password'] === undefined ? undefined : text(body, 'password'),
    };
    const updated = await service.accounts.update(idTokenOf(body), changes, address);
    return 'account' in updated ? encodeSignedIn(updated) : encodeProfile(updated);
  },
  async delete(body, { service }) {
    await service.accounts.remove(idTokenOf(body));
    return {};
  },
  /** Answers the same for every address because of the e-mail enumeration protection. */
  createAuthUri(body) {
    if (text(body, 'continueUri') === '') throw new AuthError('MISSING_CONTINUE_URI');
    const identifier = text(body, 'identifier');
    if (body['identifier'] !== undefined && !/^[^\s@]+@[^\s@]+$/.test(identifier)) {
      throw new AuthError('INVALID_IDENTIFIER');
    }
    return {
      kind: 'identitytoolkit#CreateAuthUriResponse',
      sessionId: randomBytes(20).toString('base64url'),
    };
  },
  /** Requests a reset mail. The answer and its time are the same whether or not the address has an account. */
  sendOobCode(body, { service, address, apiKey, pageOrigin }) {
    const requestType = text(body, 'requestType');
    if (requestType === '') throw new AuthError('MISSING_REQ_TYPE');
    if (requestType !== 'PASSWORD_RESET') {
      const isKnown = /^(?:EMAIL_SIGNIN|VERIFY_EMAIL|VERIFY_AND_CHANGE_EMAIL)$/.test(requestType);
      throw new AuthError(isKnown ? 'OPERATION_NOT_ALLOWED' : 'INVALID_REQ_TYPE');
    }
    const continueUrl = text(body, 'continueUrl');
    const email = text(body, 'email');
    const origin = service.linkOrigin({ continueUrl, pageOrigin });
    service.passwordReset.request({ email, address, apiKey, origin, continueUrl });
    return { kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email };
  },
  /** Sets a new password; without one, it only answers the e-mail address of the code. */
  async resetPassword(body, { service: { passwordReset }, address }) {
    if (body['oldPassword'] !== undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
    const code = text(body, 'oobCode');
    const email =
      body['newPassword'] === undefined
        ? passwordReset.verify(code)
        : await passwordReset.confirm(code, text(body, 'newPassword'), address);
    const kind = 'identitytoolkit#ResetPasswordResponse';
    return { kind, email, requestType: 'PASSWORD_RESET' };
  },
};

/** E-mail enumeration protection is on: no answer tells whether an address has an account. */
export const authMethods: ReadonlyMap<string, AuthMethod> = new Map(Object.entries(methods));

/** Changes that are not supported are refused rather than ignored. */
const notChangeable = ['email', 'oobCode', 'deleteProvider', 'linkProviderUserInfo'];

/** Returns the string at `key`, or an empty string when it is missing or not a string. */
function text(body: JsonObject, key: string): string {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  return typeof value === 'string' ? value : '';
}

function idTokenOf(body: JsonObject): string {
  const idToken = text(body, 'idToken');
  if (idToken === '') throw new AuthError('MISSING_ID_TOKEN');
  return idToken;
}

const credentialsOf = (body: JsonObject) => ({
  email: text(body, 'email'),
  password: text(body, 'password'),
});

function idpCredentialOf(body: JsonObject): URLSearchParams {
  const postBody = text(body, 'postBody');
  if (postBody !== '') return new URLSearchParams(postBody);
  // A parser would normalize the host, which takes long if it is long.
  const query = /^[^?#]*\?([^#]*)/.exec(text(body, 'requestUri'))?.[1];
  if (query === undefined) throw new AuthError('INVALID_IDP_RESPONSE');
  return new URLSearchParams(query);
}

export async function exchangeRefreshToken(form: URLSearchParams, { sessions }: AuthService) {
  if (form.get('grant_type') !== 'refresh_token') throw new AuthError('INVALID_GRANT_TYPE');
  const token = form.get('refresh_token');
  if (token === null || token === '') throw new AuthError('MISSING_REFRESH_TOKEN');
  const { account, idToken, refreshToken } = await sessions.refresh(token);
  return {
    access_token: idToken,
    id_token: idToken,
    refresh_token: refreshToken,
    expires_in: String(tokenSeconds),
    token_type: 'Bearer',
    user_id: account.uid,
  };
}
