/**
 * - One tagged union for everything a document can hold; decoded once, compared and encoded often.
 * - Integers are bigint because int64 does not fit a double; timestamps have microseconds and the canonical
 *   text of their instant.
 * - Maps are `Map`, so a field called `constructor` or `__proto__` is only ever a key.
 */
export type Value =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | {
      readonly kind: 'timestamp';
      readonly seconds: number;
      readonly nanos: number;
      readonly text: string;
    }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly base64: string }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'geo'; readonly latitude: number; readonly longitude: number }
  | { readonly kind: 'array'; readonly values: readonly Value[] }
  | { readonly kind: 'map'; readonly fields: Fields };

export type Fields = ReadonlyMap<string, Value>;

export type TimestampValue = Extract<Value, { kind: 'timestamp' }>;
export type MapValue = Extract<Value, { kind: 'map' }>;
export type NumberValue = Extract<Value, { kind: 'integer' | 'double' }>;

export const minInt64 = -(2n ** 63n);
export const maxInt64 = 2n ** 63n - 1n;

export const nullValue: Value = { kind: 'null' };

export const integerValue = (value: bigint): NumberValue => ({ kind: 'integer', value });
export const doubleValue = (value: number): NumberValue => ({ kind: 'double', value });

export const isNumber = (value: Value | undefined): value is NumberValue =>
  value?.kind === 'integer' || value?.kind === 'double';

export const isNaNValue = (value: Value): boolean =>
  value.kind === 'double' && Number.isNaN(value.value);

export const elementsOf = (value: Value | undefined): readonly Value[] =>
  value?.kind === 'array' ? value.values : [];

/** Returns the elements of a vector, which is encoded as a map with a marker; undefined for any other map. */
export function vectorElements(map: MapValue): readonly Value[] | undefined {
  const marker = map.fields.get('__type__');
  const elements = map.fields.get('value');
  if (marker?.kind !== 'string' || marker.value !== '__vector__') return undefined;
  return elements?.kind === 'array' ? elements.values : undefined;
}
