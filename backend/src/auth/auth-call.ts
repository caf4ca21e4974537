import type { JsonObject } from '../json.ts';
import { AuthError } from './auth-error.ts';
import type { AuthService } from './auth-service.ts';

/** What a method knows besides its body. */
export interface AuthCall {
  readonly service: AuthService;
  /** The network address. */
  readonly address: string;
  readonly apiKey: string;
  /** Of the page that asks, as far as a header can say. */
  readonly pageOrigin: string;
}

/** A method of the Identity Toolkit or of the token service: a decoded body in, a body out. */
export type AuthMethod = (body: JsonObject, call: AuthCall) => Promise<JsonObject> | JsonObject;

/** A missing member reads as empty; anything but a string is not worth telling apart. */
export function text(body: JsonObject, key: string): string {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  return typeof value === 'string' ? value : '';
}

export function idTokenOf(body: JsonObject): string {
  const idToken = text(body, 'idToken');
  if (idToken === '') throw new AuthError('MISSING_ID_TOKEN');
  return idToken;
}
