import type { AuthContext } from './access-policy.ts';

/** Stands for the process itself, which no policy is asked about. */
export const ADMIN = Symbol('admin');

/** Who asks: a signed-in user, nobody (null), or the process itself. */
export type Caller = AuthContext | null | typeof ADMIN;

/** The owner that is charged for new documents: null for the process itself; all callers without a sign-in are one owner. */
export const ownerOf = (caller: Caller): string | null =>
  caller === ADMIN ? null : (caller?.uid ?? '');

/** Null for everyone but a signed-in user. */
export const uidOf = (caller: Caller): string | null =>
  caller === null || caller === ADMIN ? null : caller.uid;
