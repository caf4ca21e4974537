import {
  array,
  assert,
  constant,
  constantFrom,
  oneof,
  property,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check';
import {
  fillWithDefaultSettings,
  getQueryMatcher,
  getSortComparator,
  type FilledMangoQuery,
  type RxDocumentData,
} from 'rxdb/plugins/core';
import { describe, expect, it } from 'vitest';
import { compare, getMingoQuery, valueAt } from './selectors.ts';

interface Row {
  readonly id: string;
  readonly value?: unknown;
  readonly about: { readonly value?: unknown };
}

const schema = fillWithDefaultSettings<Row>({
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: { type: 'string', maxLength: 40 }, value: {}, about: { type: 'object' } },
});

/** Few of each type, so that many are equal. */
const scalars = constantFrom(null, -1, 0, 1, 2.5, '', 'a', 'b', 'ä', 'aa', '1', false, true);

const values = record({ value: scalars }, { requiredKeys: [] });

const rows: Arbitrary<RxDocumentData<Row>> = tuple(values, values).map(([own, about]) => ({
  id: 'row',
  ...own,
  about,
  _deleted: false,
  _attachments: {},
  _meta: { lwt: 1 },
  _rev: '1-a',
}));

const condition = oneof(
  tuple(constantFrom('$eq', '$gt', '$gte', '$lt', '$lte'), scalars),
  tuple(constant('$in'), array(scalars)),
);

const conditions = array(condition, { minLength: 1, maxLength: 2 }).map(Object.fromEntries);

const selectors = record(
  { value: conditions, 'about.value': conditions },
  { requiredKeys: ['value'] },
);

/** Returns a query as RxDB normalizes it. */
function queryOf(selector: object, direction: 'asc' | 'desc' = 'asc'): FilledMangoQuery<Row> {
  return { selector, sort: [{ value: direction }], skip: 0 };
}

describe('PawPals’ selectors and Mingo', () => {
  it('match the same rows', () => {
    const counts = { matching: 0, all: 3_000 };
    const matchesOften = property(rows, selectors, (row, selector) => {
      const isMatch = getQueryMatcher<Row>(schema, queryOf(selector))(row);
      counts.matching += Number(isMatch);
      expect(getMingoQuery(selector).test(row)).toBe(isMatch);
    });
    assert(matchesOften, { numRuns: counts.all });
    expect(counts.matching).toBeGreaterThan(counts.all / 100);
  });

  it.each(['asc', 'desc'] as const)('have the same order, %s', (direction) => {
    const byMingo = getSortComparator<Row>(schema, queryOf({}, direction));
    const isSame = property(rows, rows, (one, other) => {
      const order = compare(valueAt(one, 'value'), valueAt(other, 'value'));
      const signs = direction === 'asc' ? [-1, 0, 1] : [1, 0, -1];
      // RxDB returns nothing for equal values.
      expect(signs[Math.sign(order) + 1]).toBe(Math.sign(byMingo(one, other) ?? 0));
    });
    assert(isSame, { numRuns: 1_000 });
  });
});

it('an operator that PawPals does not use is an error, not a match', () => {
  expect(() => getMingoQuery({ value: { $regex: 'a' } })).toThrow('There is no operator $regex');
});
