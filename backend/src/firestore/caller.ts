import type { AuthContext } from './access-policy.ts';

/** Stands for the process itself, which no policy is asked about. */
export const ADMIN = Symbol('admin');

/** Who asks: a signed-in user, nobody (null), or the process itself. */
export type Caller = AuthContext | null | typeof ADMIN;
