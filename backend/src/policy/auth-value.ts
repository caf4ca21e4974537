import { double, list, map, NULL, bool, text, type RuleValue } from '../rules/rule-value.ts';

interface SignedIn {
  readonly uid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const values = new WeakMap<SignedIn, RuleValue>();

/** `request.auth`: null when nobody is signed in. */
export function authValue(auth: SignedIn | null): RuleValue {
  if (auth === null) return NULL;
  const cached = values.get(auth);
  if (cached !== undefined) return cached;
  const value = map(
    new Map<string, RuleValue>([
      ['uid', text(auth.uid)],
      ['token', jsonToValue(auth.claims)],
    ]),
  );
  values.set(auth, value);
  return value;
}

/** Whole numbers of JSON are integers. */
function jsonToValue(json: unknown): RuleValue {
  if (typeof json === 'string') return text(json);
  if (typeof json === 'boolean') return bool(json);
  if (typeof json === 'number') {
    return Number.isSafeInteger(json) ? { kind: 'integer', value: BigInt(json) } : double(json);
  }
  if (Array.isArray(json)) return list(json.map(jsonToValue));
  if (typeof json !== 'object' || json === null) return NULL;
  return map(new Map(Object.entries(json).map(([key, value]) => [key, jsonToValue(value)])));
}
