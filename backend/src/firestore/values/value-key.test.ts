import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascendingTypes, equalPairs } from '../../../tests/support/ascending-values.ts';
import { value as decoded } from '../../../tests/support/firestore-json.ts';
import { compareJson, compareNames } from '../../../tests/fuzz/input/naive-order.ts';
import { encodeValue } from './value-codec.ts';
import { nullValue, type Value } from './value.ts';
import { compareStrings, inverted, pathKey, segmentsKey, valueKey } from './value-key.ts';

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '\0', '\u0001', 'é', '\uffee', '😀', '/'),
  maxLength: 4,
});
const integer = fc
  .oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -3n, max: 3n }))
  .map((value): Value => ({ kind: 'integer', value }));
const nearIntegers = fc
  .tuple(fc.constantFrom(2n ** 53n, 2n ** 62n, -(2n ** 53n), -(2n ** 62n)), fc.bigInt(-3n, 3n))
  .map(([large, small]): Value => ({ kind: 'integer', value: large + small }));
const double = fc
  .oneof(fc.double(), fc.constantFrom(0, -0, 1, 1.5, -1, Infinity, -Infinity, 2 ** 53, 2 ** 62))
  .map((value): Value => ({ kind: 'double', value }));
const segment = fc.constantFrom('a', 'ab', '__id7__', '__id10__', '__id-3__', '__id07__', 'é', 'b');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((each) => each.join('/'));
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(nullValue),
  fc.boolean().map((value): Value => ({ kind: 'boolean', value })),
  integer,
  nearIntegers,
  double,
  fc
    .tuple(fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }), fc.nat(999_999))
    .map(([seconds, micros]): Value => ({
      kind: 'timestamp',
      seconds,
      nanos: micros * 1000,
      text: new Date(seconds * 1000)
        .toISOString()
        .replace('000Z', `${String(micros).padStart(6, '0')}Z`),
    })),
  text.map((value): Value => ({ kind: 'string', value })),
  fc
    .uint8Array({ maxLength: 4 })
    .map((bytes): Value => ({ kind: 'bytes', base64: Buffer.from(bytes).toString('base64') })),
  path.map((name): Value => ({ kind: 'reference', name })),
  fc
    .tuple(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0, -0, 1.5))
    .map(([latitude, longitude]): Value => ({ kind: 'geo', latitude, longitude })),
);
const vector = fc.array(double, { maxLength: 3 }).map((values): Value => {
  const marker: Value = { kind: 'string', value: '__vector__' };
  return {
    kind: 'map',
    fields: new Map<string, Value>([
      ['__type__', marker],
      ['value', { kind: 'array', values }],
    ]),
  };
});
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    vector,
    fc.array(tie('value'), { maxLength: 3 }).map((values): Value => ({ kind: 'array', values })),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 3 })
      .map((members): Value => ({ kind: 'map', fields: new Map(members) })),
  ),
})).value;

describe('the bytes of values', () => {
  it('are in the order of Firestore, which a client would show as flicker otherwise', () => {
    const keys = ascendingTypes.flat().map((each) => valueKey(decoded(each)));
    for (const [i, left] of keys.entries()) {
      for (const [j, right] of keys.entries()) {
        const isPrefix = right.subarray(0, left.length).equals(left);
        const wanted = [i, j, Math.sign(i - j), i === j];
        expect([i, j, Buffer.compare(left, right), isPrefix]).toEqual(wanted);
      }
    }
  });

  it.each(equalPairs)('are the same for %j and %j', (left, right) => {
    expect(valueKey(decoded(left))).toEqual(valueKey(decoded(right)));
  });

  it('of strings compare as the strings do', () => {
    const string = fc.oneof(text, fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(string, string, (left, right) => {
        const [a, b] = [left, right].map((each) => valueKey({ kind: 'string', value: each }));
        const order = Buffer.compare(a ?? Buffer.alloc(0), b ?? Buffer.alloc(0));
        expect(Math.sign(compareStrings(left, right))).toBe(order);
      }),
      { numRuns: 1000 },
    );
  });

  it('compare as the values do, inverted the other way round', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const order = Math.sign(compareJson(encodeValue(left), encodeValue(right)));
        const [a, b] = [valueKey(left), valueKey(right)];
        expect(Math.sign(Buffer.compare(a, b))).toBe(order);
        expect(Math.sign(Buffer.compare(inverted(b), inverted(a)))).toBe(order);
      }),
      { numRuns: 3000 },
    );
  });

  it('are not the beginning of those of another value, nor 0 or 255 at their start', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        const [a, b] = [valueKey(left), valueKey(right)];
        fc.pre(!a.equals(b));
        expect(b.subarray(0, a.length).equals(a)).toBe(false);
        expect([0, 255]).not.toContain(a[0]);
      }),
    );
  });
});

describe('the beginning of the bytes of a value', () => {
  it('is right as far as it was asked for', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 12 }), (each, maxBytes) => {
        const whole = valueKey(each);
        const bounded = valueKey(each, maxBytes);
        expect(bounded.subarray(0, maxBytes)).toEqual(whole.subarray(0, maxBytes));
      }),
    );
  });

  it('costs no more than its length, however large the value is', () => {
    const many = Array.from({ length: 300_000 }, (_, at): Value => ({
      kind: 'map',
      fields: new Map([[String(at), { kind: 'array', values: [nullValue] }]]),
    }));
    const started = performance.now();
    const keys = Array.from({ length: 100 }, () => valueKey({ kind: 'array', values: many }, 2048));
    expect(Math.max(...keys.map((each) => each.length))).toBeLessThan(2100);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('the bytes of paths', () => {
  it('are those of their segments, one after the other', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            segment,
            text.filter((each) => each !== ''),
          ),
          { minLength: 1 },
        ),
        (each) => {
          const segments = each.flatMap((part) => part.split('/'));
          fc.pre(segments.every((part) => part !== ''));
          const alone = segments.map((part) => segmentsKey(part));
          expect(segmentsKey(segments.join('/'))).toEqual(Buffer.concat(alone));
        },
      ),
    );
  });

  it('compare as the paths do, which are equal only to themselves', () => {
    fc.assert(
      fc.property(path, path, (left, right) => {
        const order = Math.sign(compareNames(left, right));
        expect(Math.sign(Buffer.compare(pathKey(left), pathKey(right)))).toBe(order);
        expect(order === 0).toBe(left === right);
      }),
    );
  });

  it('are made in no time of an id with more digits than an integer has, which is no number', () => {
    const many = '9'.repeat(1_000_000);
    const started = performance.now();
    const order = (left: string, right: string) => Buffer.compare(pathKey(left), pathKey(right));
    expect(order(`a/__id${many}__`, 'a/__id7__')).toBeGreaterThan(0);
    expect(order(`a/__id${many}__`, `a/__id${many}9__`)).toBeGreaterThan(0);
    // Parsing a number of a million digits takes seconds.
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('below a path begin with what its segments are', () => {
    expect(pathKey('a/b/c').subarray(0, segmentsKey('a/b').length)).toEqual(segmentsKey('a/b'));
    expect(segmentsKey('').length).toBe(0);
  });
});
