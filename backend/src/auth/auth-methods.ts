import type { JsonObject } from '../json.ts';
import type { Account } from './account-store.ts';
import type { Accounts, SignedIn } from './accounts.ts';
import { AuthError } from './auth-error.ts';
import { TOKEN_SECONDS } from './id-tokens.ts';

/**
 * The methods of the Identity Toolkit and of the token service: a decoded body in, a body out.
 * E-mail enumeration protection is on: no answer tells whether an address has an account.
 */
export type AuthMethod = (body: JsonObject, accounts: Accounts) => Promise<JsonObject>;

export const AUTH_METHODS: ReadonlyMap<string, AuthMethod> = new Map<string, AuthMethod>([
  ['signUp', signUp],
  ['signInWithPassword', signInWithPassword],
  ['lookup', lookup],
  ['update', update],
  ['delete', remove],
  ['createAuthUri', () => Promise.resolve({ sessionId: 'session', allProviders: [] })],
]);

/** A missing member reads as empty; anything but a string is not worth telling apart. */
function text(body: JsonObject, key: string): string {
  const value = body[key];
  return typeof value === 'string' ? value : '';
}

function idTokenOf(body: JsonObject): string {
  const idToken = text(body, 'idToken');
  if (idToken === '') throw new AuthError('MISSING_ID_TOKEN');
  return idToken;
}

async function signUp(body: JsonObject, accounts: Accounts): Promise<JsonObject> {
  const isAnonymous = body['email'] === undefined && body['password'] === undefined;
  if (isAnonymous || body['idToken'] !== undefined) throw new AuthError('OPERATION_NOT_ALLOWED');
  const credentials = { email: text(body, 'email'), password: text(body, 'password') };
  return encodeSignedIn(await accounts.signUp(credentials, text(body, 'displayName')));
}

async function signInWithPassword(body: JsonObject, accounts: Accounts): Promise<JsonObject> {
  const credentials = { email: text(body, 'email'), password: text(body, 'password') };
  return { ...encodeSignedIn(await accounts.signIn(credentials)), registered: true };
}

async function lookup(body: JsonObject, accounts: Accounts): Promise<JsonObject> {
  const result = await accounts.authenticate(idTokenOf(body));
  if (!result.ok) throw result.error;
  return { users: [encodeUser(result.account)] };
}

async function update(body: JsonObject, accounts: Accounts): Promise<JsonObject> {
  const { displayName, password, deleteAttribute } = body;
  const isNameDeleted = Array.isArray(deleteAttribute) && deleteAttribute.includes('DISPLAY_NAME');
  if (body['email'] !== undefined || body['oobCode'] !== undefined) {
    throw new AuthError('OPERATION_NOT_ALLOWED');
  }
  const updated = await accounts.update(idTokenOf(body), {
    ...(typeof displayName === 'string' ? { displayName } : {}),
    ...(isNameDeleted ? { displayName: '' } : {}),
    ...(password === undefined ? {} : { password: text(body, 'password') }),
  });
  if ('account' in updated) return encodeSignedIn(updated);
  return encodeProfile(updated);
}

async function remove(body: JsonObject, accounts: Accounts): Promise<JsonObject> {
  await accounts.remove(idTokenOf(body));
  return {};
}

export async function exchangeRefreshToken(
  form: URLSearchParams,
  accounts: Accounts,
): Promise<JsonObject> {
  if (form.get('grant_type') !== 'refresh_token') throw new AuthError('INVALID_GRANT_TYPE');
  const token = form.get('refresh_token');
  if (token === null || token === '') throw new AuthError('MISSING_REFRESH_TOKEN');
  const { account, idToken, refreshToken } = await accounts.refresh(token);
  return {
    access_token: idToken,
    id_token: idToken,
    refresh_token: refreshToken,
    expires_in: String(TOKEN_SECONDS),
    token_type: 'Bearer',
    user_id: account.uid,
  };
}

const encodeSignedIn = ({ account, idToken, refreshToken }: SignedIn): JsonObject => ({
  ...encodeProfile(account),
  idToken,
  refreshToken,
  expiresIn: String(TOKEN_SECONDS),
});

const encodeProfile = ({ uid, email, displayName }: Account): JsonObject => ({
  localId: uid,
  email,
  displayName,
});

const encodeUser = (account: Account): JsonObject => ({
  ...encodeProfile(account),
  emailVerified: false,
  providerUserInfo: [
    {
      providerId: 'password',
      email: account.email,
      federatedId: account.email,
      rawId: account.email,
      displayName: account.displayName,
    },
  ],
  passwordUpdatedAt: account.passwordChangedMs,
  validSince: String(account.validSinceS),
  createdAt: String(account.createdAtMs),
  lastLoginAt: String(account.lastSignInMs),
});
