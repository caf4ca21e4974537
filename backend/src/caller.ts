/** A signed-in user, by the ID token of the request. */
export interface AuthContext {
  readonly uid: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expiresAtMs: number;
}

/** A user of the server; null when nobody is signed in. */
export type User = AuthContext | null;

/** Stands for the process itself, which bypasses the policies. */
export const admin = Symbol('admin');

export type Caller = User | typeof admin;

/** Returns the owner that is charged: null for the process itself, one (the empty text) for all anonymous callers. */
export const ownerOf = (caller: Caller): string | null =>
  caller === admin ? null : (caller?.uid ?? '');

/** Returns the uid of a signed-in user; null for any other caller. */
export const uidOf = (caller: Caller): string | null =>
  caller === null || caller === admin ? null : caller.uid;
