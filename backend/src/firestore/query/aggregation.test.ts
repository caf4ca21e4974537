import { describe, expect, it } from 'vitest';
import { int, query, setWrite, writes } from '../../../tests/support/firestore-json.ts';
import { answerOf, openTestDatabase } from '../../../tests/support/test-database.ts';
import { admin } from '../../caller.ts';
import { createAggregations } from './aggregation.ts';

const sum = { field: { fieldPath: 'n' } };

describe('the results of aggregations', () => {
  it('are named by number where they have no alias', async () => {
    const { database } = await openTestDatabase();
    await database.commit(
      admin,
      writes(setWrite('c/a', { n: int(2) }), setWrite('c/b', { n: int(3) })),
    );
    const aggregations = createAggregations([
      { count: {} },
      { alias: 'whole', sum },
      { alias: '', sum },
    ]);
    for (const each of answerOf(database, query('c'))) aggregations.add(each);
    expect(aggregations.result()).toEqual({ field_1: int(2), whole: int(5), field_2: int(5) });
  });
});

describe('an aggregation is refused', () => {
  it.each([
    [
      'two equal aliases',
      [
        { alias: 'n', count: {} },
        { alias: 'n', sum },
      ],
      /unique/,
    ],
    ['the alias that another one gets', [{ alias: 'field_1', count: {} }, { sum }], /unique/],
    ['a reserved alias', [{ alias: '__proto__', count: {} }], /reserved/],
    ['an alias that is no text', [{ alias: 5, count: {} }], /text/],
  ])('with %s', (_, json, message) => {
    expect(() => createAggregations(json)).toThrow(message);
  });

  it.each(['x', 1, null, { value: '2' }])('that counts up to %j', (upTo) => {
    expect(() => createAggregations([{ count: { upTo } }])).toThrow(/is not served/);
  });
});
