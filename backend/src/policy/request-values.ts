import type { AuthContext, User } from '../caller.ts';
import {
  bool,
  double,
  int,
  list,
  map,
  nullValue,
  text,
  type RuleValue,
} from '../rules/rule-value.ts';

const values = new WeakMap<AuthContext, RuleValue>();

/** Returns `request.auth`: null when nobody is signed in. */
export function authValue(auth: User): RuleValue {
  if (auth === null) return nullValue;
  const cached = values.get(auth);
  if (cached !== undefined) return cached;
  const value = jsonToValue({ uid: auth.uid, token: auth.claims });
  values.set(auth, value);
  return value;
}

/** Converts JSON; whole numbers become integers. */
export function jsonToValue(json: unknown): RuleValue {
  if (typeof json === 'string') return text(json);
  if (typeof json === 'boolean') return bool(json);
  if (typeof json === 'number') return Number.isSafeInteger(json) ? int(json) : double(json);
  if (Array.isArray(json)) return list(json.map(jsonToValue));
  return typeof json === 'object' && json !== null ? map(jsonToFields(json)) : nullValue;
}

export const jsonToFields = (json: object): Map<string, RuleValue> =>
  new Map(Object.entries(json).map(([key, value]) => [key, jsonToValue(value)]));
