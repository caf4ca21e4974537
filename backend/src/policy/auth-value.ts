import type { AuthContext, User } from '../caller.ts';
import { fromPlain } from '../firestore/values/plain-data.ts';
import { nullValue, type RuleValue } from '../rules/rule-value.ts';

const values = new WeakMap<AuthContext, RuleValue>();

/** Returns `request.auth`: null when nobody is signed in. */
export function authValue(auth: User): RuleValue {
  if (auth === null) return nullValue;
  const value = values.get(auth) ?? fromPlain({ uid: auth.uid, token: auth.claims });
  values.set(auth, value);
  return value;
}
