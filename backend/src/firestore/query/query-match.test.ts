import { describe, expect, it } from 'vitest';
import { ascendingTypes, equalPairs } from '../../../tests/support/ascending-values.ts';
import { all, any, list, query, value, where } from '../../../tests/support/firestore-json.ts';
import type { StoredDocument } from '../values/document.ts';
import { valueKey } from '../values/value-key.ts';
import type { Value } from '../values/value.ts';
import { matchesQuery } from './query-match.ts';

const documentWith = (v: Value): StoredDocument => ({
  path: 'c/d',
  name: 'projects/demo-pawpals/databases/(default)/documents/c/d',
  fields: new Map([['v', v]]),
  createVersion: 1,
  updateVersion: 1,
  owner: null,
});

const isNull = ({ kind }: Value) => kind === 'null';
const ascending = ascendingTypes.flatMap((jsons, type) =>
  jsons.map((json) => ({ json, type, decoded: value(json), document: documentWith(value(json)) })),
);

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
    let looks = 0;
    const element = (at: number): Value => ({
      base64: Buffer.from(`element ${at}`).toString('base64'),
      get kind() {
        looks++;
        return 'bytes' as const;
      },
    });
    const values = Array.from({ length: 100 }, (_, at) => element(at));
    const bytes = (at: number) => ({ bytesValue: Buffer.from(`other ${at}`).toString('base64') });
    const others = Array.from({ length: operands }, (_, at) => bytes(at));
    const contains = where('v', 'ARRAY_CONTAINS_ANY', list(...others));
    const asked = query('c', { where: any(...Array.from({ length: filters }, () => contains)) });
    expect(matchesQuery(asked, documentWith({ kind: 'array', values }))).toBe(false);
    expect(looks).toBe(values.length);
  });

  it.each(equalPairs)('%j equals %j', (left, right) => {
    for (const operator of ['EQUAL', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN_OR_EQUAL']) {
      const asked = query('c', { where: where('v', operator, right) });
      expect(matchesQuery(asked, documentWith(value(left)))).toBe(true);
    }
  });
});
