import type { AuthContext } from './access-policy.ts';

/** Stands for the process itself, which bypasses the policy. */
export const admin = Symbol('admin');

/** The caller of an operation: a signed-in user, an anonymous client (null), or the process itself. */
export type Caller = AuthContext | null | typeof admin;

/** Returns the owner that is charged for new documents: null for the process itself, one for all anonymous callers. */
export const ownerOf = (caller: Caller): string | null =>
  caller === admin ? null : (caller?.uid ?? '');

/** Returns the uid of a signed-in user; null for any other caller. */
export const uidOf = (caller: Caller): string | null =>
  caller === null || caller === admin ? null : caller.uid;
