import type { JsonObject } from '../json.ts';
import { idTokenOf, text, type AuthCall, type AuthMethod } from './auth-call.ts';
import { AuthError } from './auth-error.ts';
import { encodeProfile, encodeSignedIn, encodeUser } from './accounts/encode-account.ts';
import { tokenSeconds } from './tokens/id-tokens.ts';
import { createAuthUri, signInWithIdp } from './google/idp-methods.ts';
import { resetPassword, sendOobCode } from './passwords/reset-methods.ts';

/** E-mail enumeration protection is on: no answer tells whether an address has an account. */
export const authMethods: ReadonlyMap<string, AuthMethod> = new Map<string, AuthMethod>([
  ['signUp', signUp],
  ['signInWithPassword', signInWithPassword],
  ['signInWithIdp', signInWithIdp],
  ['lookup', lookup],
  ['update', update],
  ['delete', remove],
  ['createAuthUri', createAuthUri],
  ['sendOobCode', sendOobCode],
  ['resetPassword', resetPassword],
]);

const credentialsOf = (body: JsonObject) => ({
  email: text(body, 'email'),
  password: text(body, 'password'),
});

async function signUp(body: JsonObject, { service, address }: AuthCall): Promise<JsonObject> {
  const isAnonymous = body['email'] === undefined && body['password'] === undefined;
  if (isAnonymous || body['idToken'] !== undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
  const wanted = { ...credentialsOf(body), displayName: text(body, 'displayName') };
  const signedIn = await service.accounts.signUp(wanted, address);
  // The SDK takes from this kind that the user is new.
  return { ...encodeSignedIn(signedIn), kind: 'identitytoolkit#SignupNewUserResponse' };
}

async function signInWithPassword(body: JsonObject, call: AuthCall): Promise<JsonObject> {
  const signedIn = await call.service.accounts.signIn(credentialsOf(body), call.address);
  return { ...encodeSignedIn(signedIn), registered: true };
}

async function lookup(body: JsonObject, { service }: AuthCall): Promise<JsonObject> {
  const { account } = await service.sessions.authenticate(idTokenOf(body));
  return { users: [encodeUser(account)] };
}

/** Changes that are not supported are refused rather than ignored. */
const notChangeable = ['email', 'oobCode', 'deleteProvider', 'linkProviderUserInfo'];

async function update(body: JsonObject, { service, address }: AuthCall): Promise<JsonObject> {
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
  if ('account' in updated) return encodeSignedIn(updated);
  return encodeProfile(updated);
}

async function remove(body: JsonObject, { service }: AuthCall): Promise<JsonObject> {
  await service.accounts.remove(idTokenOf(body));
  return {};
}

export async function exchangeRefreshToken(
  form: URLSearchParams,
  { service }: AuthCall,
): Promise<JsonObject> {
  if (form.get('grant_type') !== 'refresh_token') throw new AuthError('INVALID_GRANT_TYPE');
  const token = form.get('refresh_token');
  if (token === null || token === '') throw new AuthError('MISSING_REFRESH_TOKEN');
  const { account, idToken, refreshToken } = await service.sessions.refresh(token);
  return {
    access_token: idToken,
    id_token: idToken,
    refresh_token: refreshToken,
    expires_in: String(tokenSeconds),
    token_type: 'Bearer',
    user_id: account.uid,
  };
}
