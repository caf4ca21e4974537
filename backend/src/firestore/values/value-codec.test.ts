import { describe, expect, it } from 'vitest';
import { dbl, int, list, map, nul, str, time } from '../../../tests/support/firestore-json.ts';
import { databaseNames } from '../../../tests/support/test-database.ts';
import { decodeFields, decodeValue, encodeFields, encodeValue } from './value-codec.ts';

function nested(levels: number): unknown {
  let json: unknown = int(1);
  for (let level = 0; level < levels; level++) json = map({ a: json });
  return json;
}

describe('decodeValue and encodeValue', () => {
  it.each([
    [{ nullValue: null }],
    [{ booleanValue: false }],
    [int(-(2n ** 63n))],
    [dbl(1)],
    [dbl('NaN')],
    [dbl('-Infinity')],
    [dbl('-0')],
    [time('2026-11-21T10:00:00.123456Z')],
    [time('2026-11-21T10:00:00Z')],
    [str('a\u0000😀')],
    [{ bytesValue: 'AAE=' }],
    [{ referenceValue: 'projects/p/databases/(default)/documents/a/b' }],
    [{ geoPointValue: { latitude: 1.5, longitude: -2 } }],
    [list(int(1), str('a'))],
    [map({ constructor: int(1), 'a.b': list() })],
  ])('gives back %j as it came', (json) => {
    expect(encodeValue(decodeValue(json))).toEqual(json);
  });

  it('takes no memory for a map that is empty', () => {
    const fields = decodeFields({ a: map({}), b: { mapValue: {} } });
    const [one, other] = [...fields.values()].map((each) => each.kind === 'map' && each.fields);
    expect(one).toEqual(new Map());
    expect(one).toBe(other);
  });

  it('accepts the forms of null and of empty lists and maps that clients send', () => {
    expect(decodeValue(nul)).toEqual({ kind: 'null' });
    expect(encodeValue(decodeValue({ arrayValue: {} }))).toEqual(list());
    expect(encodeValue(decodeValue({ mapValue: {} }))).toEqual(map({}));
    expect(encodeValue(decodeValue({ geoPointValue: {} }))).toEqual({
      geoPointValue: { latitude: 0, longitude: 0 },
    });
  });

  it.each([
    ['no type', {}],
    ['an unknown type', { fooValue: 1 }],
    ['two types', { stringValue: 'a', integerValue: '1' }],
    ['a type inherited by every object', JSON.parse('{"constructor": 1}')],
    ['a list', [int(1)]],
    ['null', null],
    ['an integer beyond int64', { integerValue: '9223372036854775808' }],
    ['a fraction as integer', { integerValue: '1.5' }],
    ['a word as double', { doubleValue: 'many' }],
    ['a day as timestamp', time('2026-11-21')],
    ['a month that does not exist', time('2026-13-01T00:00:00Z')],
    ['a year after 9999', time('10000-01-01T00:00:00Z')],
    ['bytes that are not base64', { bytesValue: '%%%' }],
    ['a latitude beyond the pole', { geoPointValue: { latitude: 91 } }],
    ['list members that are no list', { arrayValue: { values: {} } }],
    ['fields that are no object', { mapValue: { fields: [] } }],
    ['a reference of more than 6 KiB', { referenceValue: 'a'.repeat(6145) }],
    ['a long reference in a list', list({ referenceValue: 'é'.repeat(3073) })],
  ])('refuses %s', (_name, json) => {
    expect(() => decodeValue(json)).toThrow(
      expect.objectContaining({ status: 'INVALID_ARGUMENT' }),
    );
  });

  it.each(['__proto__', '__name__', '__x__', ''])('refuses the field name "%s"', (name) => {
    const json: unknown = JSON.parse(`{${JSON.stringify(name)}: {"integerValue": "1"}}`);
    expect(() => decodeFields(json)).toThrow(
      expect.objectContaining({ status: 'INVALID_ARGUMENT' }),
    );
    expect(() => decodeFields({ a: { mapValue: { fields: json } } })).toThrow(/reserved|empty/);
  });

  it('refuses a field name by its length before anything else of it', () => {
    expect(() => decodeFields({ [`__${'a'.repeat(2000)}__`]: int(1) })).toThrow('longer than 1500');
  });

  it('refuses a reference of more segments than a path has', () => {
    const reference = (count: number) => ({
      referenceValue: `${databaseNames.documents}/${'a/'.repeat(count - 1)}a`,
    });
    expect(encodeValue(decodeValue(reference(200)))).toEqual(reference(200));
    expect(() => decodeValue(reference(300))).toThrow(/segments/);
    expect(() => decodeValue({ referenceValue: '/'.repeat(6144) })).toThrow(/segments/);
  });

  it('reads no more values than are asked for, wherever they are', () => {
    const fields = {
      a: { nullValue: null },
      l: {
        arrayValue: {
          values: [{ nullValue: null }, { mapValue: { fields: { m: { nullValue: null } } } }],
        },
      },
    };
    expect(encodeFields(decodeFields(fields, 5))).toEqual(fields);
    expect(() => decodeFields(fields, 4)).toThrow(/too many values/);
  });

  it('follows 20 levels and refuses more, however deep, without overflowing', () => {
    expect(encodeValue(decodeValue(nested(20)))).toEqual(nested(20));
    expect(() => decodeValue(nested(21))).toThrow(/depth/);
    expect(() => decodeValue(nested(100_000))).toThrow(/depth/);
  });
});
