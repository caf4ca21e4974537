import { afterEach, describe, expect, it, vi } from 'vitest';
import { ascendingTypes, equalPairs } from '../../../tests/support/ascending-values.ts';
import { all, any, list, query, value, where } from '../../../tests/support/firestore-json.ts';
import type { StoredDocument } from '../values/document.ts';
import { valueKey } from '../values/value-key.ts';
import { isNaNValue, type Value } from '../values/value.ts';
import { matchesQuery } from './query-match.ts';

const documentWith = (v: Value): StoredDocument => ({
  path: 'c/d',
  name: 'projects/demo-pawpals/databases/(default)/documents/c/d',
  fields: new Map([['v', v]]),
  createVersion: 1,
  updateVersion: 1,
  owner: null,
});

/** Returns different elements, and how often one was read to encode it. */
function elements(count: number) {
  let looks = 0;
  const element = (at: number): Value => ({
    kind: 'bytes',
    get base64() {
      looks++;
      return Buffer.from(`element ${at}`).toString('base64');
    },
  });
  return { values: Array.from({ length: count }, (_, at) => element(at)), looks: () => looks };
}

const bytes = (text: string) => ({ bytesValue: Buffer.from(text).toString('base64') });
const containsAny = (...operands: readonly unknown[]) =>
  query('c', { where: where('v', 'ARRAY_CONTAINS_ANY', list(...operands)) });
const arrayOf = (values: readonly Value[]) => documentWith({ kind: 'array', values });

const isNull = ({ kind }: Value) => kind === 'null';
const ascending = ascendingTypes.flatMap((jsons, type) =>
  jsons.map((json) => ({ json, type, decoded: value(json), document: documentWith(value(json)) })),
);

afterEach(() => vi.restoreAllMocks());

describe('a filter decides as the order of values does', () => {
  it.each(['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL'])(
    '%s',
    (operator) => {
      const isLess = operator.startsWith('LESS');
      for (const [i, operand] of ascending.entries()) {
        const asked = query('c', { where: where('v', operator, operand.json) });
        for (const [j, { type, document }] of ascending.entries()) {
          const isOutside = isLess ? j < i : j > i;
          const wanted =
            type === operand.type && (isOutside || (j === i && /EQUAL/.test(operator)));
          expect([i, j, matchesQuery(asked, document)]).toEqual([i, j, wanted]);
        }
      }
    },
  );

  it('of equality, in lists and in arrays too', () => {
    for (const [i, operand] of ascending.entries()) {
      const found = (operator: string, json: unknown, documents: readonly StoredDocument[]) => {
        const asked = query('c', { where: where('v', operator, json) });
        return documents.flatMap((each, j) => (matchesQuery(asked, each) ? [j] : []));
      };
      const documents = ascending.map((each) => each.document);
      expect(found('EQUAL', operand.json, documents)).toEqual([i]);
      if (isNull(operand.decoded)) continue;
      const inArrays = ascending.map(({ decoded }) =>
        documentWith({ kind: 'array', values: [decoded, { kind: 'null' }] }),
      );
      expect(found('ARRAY_CONTAINS', operand.json, inArrays)).toEqual([i]);
      // Several operands are compared as texts. NaN is none of them.
      const several = list(operand.json, { stringValue: 'in no array' });
      const wanted = isNaNValue(operand.decoded) ? [] : [i];
      expect(found('ARRAY_CONTAINS_ANY', several, inArrays)).toEqual(wanted);
      const others = ascending.flatMap(({ decoded }, j) => (j === i || isNull(decoded) ? [] : [j]));
      expect(found('NOT_EQUAL', operand.json, documents)).toEqual(others);
      expect(found('NOT_IN', list(operand.json), documents)).toEqual(others);
    }
  });

  it('of one value and many operands, each of which has more bytes than the one before', () => {
    const operands = ascending
      .filter((each) => !isNull(each.decoded))
      .toSorted((left, right) => valueKey(left.decoded).length - valueKey(right.decoded).length);
    for (const { json, document } of operands) {
      const others = operands.filter((each) => each.json !== json).slice(-100);
      const filters = others.map((each) => where('v', 'NOT_EQUAL', each.json));
      expect(matchesQuery(query('c', { where: all(...filters) }), document)).toBe(true);
    }
  });

  it.each([
    ['a filter of 30 operands', 1, 30],
    ['30 filters of one operand', 30, 1],
  ])('of %s looks once at each element of an array', (_name, filters, operands) => {
    const { values, looks } = elements(100);
    const others = Array.from({ length: operands }, (_, at) => bytes(`other ${at}`));
    const contains = where('v', 'ARRAY_CONTAINS_ANY', list(...others));
    const asked = query('c', { where: any(...Array.from({ length: filters }, () => contains)) });
    expect(matchesQuery(asked, arrayOf(values))).toBe(false);
    expect(looks()).toBe(values.length);
  });

  it('of several operands encodes no element of a type that none of them has', () => {
    const { values, looks } = elements(100);
    const asked = containsAny({ stringValue: 'a' }, { integerValue: '1' });
    expect(matchesQuery(asked, arrayOf(values))).toBe(false);
    expect(matchesQuery(asked, arrayOf([...values, value({ doubleValue: 1 })]))).toBe(true);
    expect(looks()).toBe(0);
  });

  it('of one operand encodes no element that is compared without its bytes', () => {
    const texts = vi.spyOn(Buffer.prototype, 'toString');
    const values = Array.from({ length: 100 }, (_, at) => value({ integerValue: `${at}` }));
    expect(matchesQuery(containsAny({ doubleValue: 99 }), arrayOf(values))).toBe(true);
    expect(matchesQuery(containsAny({ doubleValue: 100 }), arrayOf(values))).toBe(false);
    expect(texts).not.toHaveBeenCalled();
  });

  it('makes the text of an operand once, and of none for a document without elements', () => {
    const asked = containsAny(bytes('one'), bytes('other'));
    const texts = vi.spyOn(Buffer.prototype, 'toString');
    for (let at = 0; at < 100; at++) {
      expect(matchesQuery(asked, arrayOf([]))).toBe(false);
      expect(matchesQuery(asked, documentWith(value({ stringValue: 'one' })))).toBe(false);
    }
    expect(texts).not.toHaveBeenCalled();
    for (let at = 0; at < 100; at++) {
      expect(matchesQuery(asked, arrayOf([value({ integerValue: '1' })]))).toBe(false);
    }
    expect(texts).toHaveBeenCalledTimes(2);
  });

  it.each(equalPairs)('%j equals %j', (left, right) => {
    for (const operator of ['EQUAL', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN_OR_EQUAL']) {
      const asked = query('c', { where: where('v', operator, right) });
      expect(matchesQuery(asked, documentWith(value(left)))).toBe(true);
    }
  });
});
