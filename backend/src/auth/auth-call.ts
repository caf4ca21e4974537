import type { JsonObject } from '../json.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';

/** The context of a call: everything that a method gets besides its body. */
export interface AuthCall {
  readonly service: AuthService;
  readonly address: string;
  readonly apiKey: string;
  /** The origin of the calling page as the request headers name it. */
  readonly pageOrigin: string;
}

/** A method of the Identity Toolkit or of the token service: it maps a decoded request body to a response body. */
export type AuthMethod = (body: JsonObject, call: AuthCall) => Promise<JsonObject> | JsonObject;

/** Returns the string at `key`, or an empty string when it is missing or not a string. */
export function text(body: JsonObject, key: string): string {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  return typeof value === 'string' ? value : '';
}

export function idTokenOf(body: JsonObject): string {
  const idToken = text(body, 'idToken');
  if (idToken === '') throw new AuthError('MISSING_ID_TOKEN');
  return idToken;
}
