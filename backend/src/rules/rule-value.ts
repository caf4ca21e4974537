import { EvaluationError, UnknownError } from './evaluation-error.ts';

/**
 * - A value of an expression. The kinds that Firestore stores have the same form as there, so the fields of
 *   a document need no conversion.
 * - Maps are `Map`: a field called `__proto__` or `constructor` is only ever a key.
 * - A partial map stands for what only a query describes: what is not known of it is an UnknownError.
 */
export type RuleValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly base64: string }
  | { readonly kind: 'timestamp'; readonly seconds: number; readonly nanos: number }
  | { readonly kind: 'geo'; readonly latitude: number; readonly longitude: number }
  /** A stored reference with its full resource name; expressions read it as a path. */
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'path'; readonly segments: readonly string[] }
  | { readonly kind: 'array'; readonly values: readonly RuleValue[] }
  | { readonly kind: 'set'; readonly values: readonly RuleValue[] }
  | { readonly kind: 'map'; readonly fields: RuleFields }
  | { readonly kind: 'map-diff'; readonly left: RuleFields; readonly right: RuleFields }
  | { readonly kind: 'partial-map'; readonly known: RuleFields };

export type RuleFields = ReadonlyMap<string, RuleValue>;
export type Kind = RuleValue['kind'];
export type OfKind<K extends Kind> = Extract<RuleValue, { kind: K }>;
export type PathValue = OfKind<'path'>;

export const nullValue: RuleValue = { kind: 'null' };
const trueValue: RuleValue = { kind: 'boolean', value: true };
const falseValue: RuleValue = { kind: 'boolean', value: false };

export const bool = (value: boolean): RuleValue => (value ? trueValue : falseValue);
export const text = (value: string): RuleValue => ({ kind: 'string', value });
export const double = (value: number): RuleValue => ({ kind: 'double', value });
export const path = (segments: readonly string[]): PathValue => ({ kind: 'path', segments });
export const map = (fields: RuleFields): RuleValue => ({ kind: 'map', fields });
export const list = (values: readonly RuleValue[]): RuleValue => ({ kind: 'array', values });
export const set = (values: readonly RuleValue[]): RuleValue => ({ kind: 'set', values });

/** Creates a 64-bit integer. @throws {EvaluationError} when the value is not whole or out of range. */
export function int(value: bigint | number): RuleValue {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    throw new EvaluationError('A number has no whole value.');
  }
  const whole = BigInt(value);
  if (BigInt.asIntN(64, whole) !== whole) throw new EvaluationError('An integer overflows.');
  return { kind: 'integer', value: whole };
}

/** The names of the types in `is` and in messages. */
const typeNames: Readonly<Record<Kind, string>> = {
  null: 'null',
  boolean: 'bool',
  integer: 'int',
  double: 'float',
  string: 'string',
  bytes: 'bytes',
  timestamp: 'timestamp',
  geo: 'latlng',
  reference: 'path',
  path: 'path',
  array: 'list',
  set: 'set',
  map: 'map',
  'partial-map': 'map',
  'map-diff': 'map_diff',
};

export const types: ReadonlySet<string> = new Set([
  ...Object.values(typeNames).filter((each) => each !== 'null'),
  'number',
]);

export const typeName = (value: RuleValue): string => typeNames[value.kind];

export function isOfType(value: RuleValue, type: string): boolean {
  const name = typeName(value);
  return name === type || (type === 'number' && (name === 'int' || name === 'float'));
}

export const isNumber = (value: RuleValue): value is OfKind<'integer' | 'double'> =>
  value.kind === 'integer' || value.kind === 'double';

/** Returns the value if it has the kind. @throws {UnknownError} for a partial map, {EvaluationError} for other kinds. */
export function expectKind<K extends Kind>(value: RuleValue, kind: K): OfKind<K> {
  if (hasKind(value, kind)) return value;
  if (value.kind === 'partial-map') throw new UnknownError('what the whole map is');
  throw needed(typeNames[kind], value);
}

export const needed = (type: string, value: RuleValue) =>
  new EvaluationError(`A value of type ${type} is needed, not ${typeName(value)}.`);

const hasKind = <K extends Kind>(value: RuleValue, kind: K): value is OfKind<K> =>
  value.kind === kind;

export function expectBool(value: RuleValue): boolean {
  return expectKind(value, 'boolean').value;
}

/** Converts a stored reference to a path, which begins at `databases` instead of the project. */
export function dereferenced(value: RuleValue): Exclude<RuleValue, { kind: 'reference' }> {
  if (value.kind !== 'reference') return value;
  const segments = value.name.split('/');
  return path(segments[0] === 'projects' ? segments.slice(2) : segments);
}
