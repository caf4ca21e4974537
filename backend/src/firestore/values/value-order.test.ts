import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bool,
  dbl,
  int,
  list,
  map,
  nul,
  ref,
  str,
  time,
  value,
} from '../../../tests/support/firestore-json.ts';
import { pathKey, valueKey } from './value-key.ts';
import { compareValues } from './value-order.ts';

const vector = (...elements: number[]) =>
  map({ __type__: str('__vector__'), value: list(...elements.map(dbl)) });

/** Strictly ascending; each line is one type. */
const ascending = [
  nul,
  bool(false),
  bool(true),
  dbl('NaN'),
  dbl('-Infinity'),
  int(-(2n ** 63n)),
  dbl(-1.5),
  int(-1),
  int(0),
  dbl(0.5),
  int(1),
  int(9007199254740992n),
  int(9007199254740993n),
  int(2n ** 63n - 1n),
  dbl('Infinity'),
  time('0001-01-01T00:00:00Z'),
  time('2026-01-01T00:00:00.000001Z'),
  time('2026-01-01T00:00:01Z'),
  str(''),
  str('a'),
  str('aa'),
  str('b'),
  str('é'),
  str('\uffee'),
  str('😀'),
  { bytesValue: '' },
  { bytesValue: 'AA==' },
  { bytesValue: 'AAE=' },
  { bytesValue: '/w==' },
  ref('a/__id-3__'),
  ref('a/__id7__'),
  ref('a/__id10__'),
  ref('a/b'),
  ref('a/b/c/d'),
  ref('ab/a'),
  { geoPointValue: { latitude: -1, longitude: 5 } },
  { geoPointValue: {} },
  { geoPointValue: { longitude: 1 } },
  list(),
  list(int(1)),
  list(int(1), int(1)),
  list(int(2)),
  vector(5),
  vector(1, 1),
  vector(1, 2),
  map({}),
  map({ a: int(1) }),
  map({ a: int(1), b: int(1) }),
  map({ a: int(2) }),
  map({ b: int(0) }),
].map(value);

const byBytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

describe('compareValues', () => {
  it('orders every type and, within a type, every value as Firestore does', () => {
    for (const [i, left] of ascending.entries()) {
      for (const [j, right] of ascending.entries()) {
        expect([i, j, Math.sign(compareValues(left, right))]).toEqual([i, j, Math.sign(i - j)]);
      }
    }
  });

  it('sorts strings by UTF-8 bytes, also where UTF-16 order differs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(Math.sign(compareValues(value(str(a)), value(str(b))))).toBe(byBytes(a, b));
      }),
    );
  });

  it('compares an id with more digits than an integer has as a string, in no time', () => {
    const many = '9'.repeat(1_000_000);
    const started = performance.now();
    const order = (left: string, right: string) => Buffer.compare(pathKey(left), pathKey(right));
    expect(order(`a/__id${many}__`, 'a/__id7__')).toBeGreaterThan(0);
    expect(order(`a/__id${many}__`, `a/__id${many}9__`)).toBeGreaterThan(0);
    // Parsing a number of a million digits takes seconds.
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('treats an integer and the equal double as equal, exactly beyond 2^53', () => {
    expect(compareValues(value(int(1)), value(dbl(1)))).toBe(0);
    expect(compareValues(value(dbl(-0)), value(int(0)))).toBe(0);
    expect(compareValues(value(int(9007199254740993n)), value(dbl(9007199254740992)))).toBe(1);
  });

  it('agrees with the bytes of values about what is equal', () => {
    const equals = [
      [int(1), dbl(1)],
      [dbl('-0'), int(0)],
      [time('2026-01-01T00:00:00.5Z'), time('2026-01-01T01:00:00.500+01:00')],
      [{ bytesValue: '__8=' }, { bytesValue: '//8' }],
      [map({ a: int(1), b: nul }), map({ b: nul, a: dbl(1) })],
    ];
    for (const [a, b] of equals) {
      expect(compareValues(value(a), value(b))).toBe(0);
      expect(valueKey(value(a))).toEqual(valueKey(value(b)));
    }
    const keys = ascending.map((each) => valueKey(each));
    expect(keys).toEqual(keys.toSorted((left, right) => Buffer.compare(left, right)));
    expect(new Set(keys.map((each) => each.toString('latin1'))).size).toBe(ascending.length);
  });
});
