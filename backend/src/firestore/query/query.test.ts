import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  all,
  any,
  bool,
  dbl,
  int,
  list,
  map,
  nul,
  orderBy,
  query,
  ref,
  setWrite,
  str,
  structuredQuery,
  unary,
  where,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { anyQuery, anyWrite } from '../../../tests/support/any-query.ts';
import { evaluateQuery } from '../../../tests/support/evaluate-query.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  answerOf,
  countOf,
  databaseNames,
  documentsOf,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import { admin } from '../../caller.ts';
import type { Database } from '../documents/database.ts';
import { decodeQuery } from './query-codec.ts';
import { matchesQuery } from './query-match.ts';
import type { Query } from './query.ts';

async function databaseWith(documents: Record<string, Record<string, unknown>>): Promise<Database> {
  const { database } = await openTestDatabase();
  const json = Object.entries(documents).map(([path, fields]) => setWrite(path, fields));
  await database.commit(admin, writes(...json));
  return database;
}

const idsOf = (database: Database, asked: Query) =>
  answerOf(database, asked).map((each) => each.path.split('/').at(-1) ?? '');

const sortedIdsOf = (database: Database, asked: Query) =>
  idsOf(database, asked).toSorted((a, b) => (a < b ? -1 : 1));

/** One document per kind of value in `v`. */
const kinds = {
  'c/missing': { w: int(1) },
  'c/null': { v: nul },
  'c/nan': { v: dbl('NaN') },
  'c/one': { v: int(1) },
  'c/oneDouble': { v: dbl(1) },
  'c/two': { v: int(2) },
  'c/text': { v: str('a') },
  'c/true': { v: bool(true) },
  'c/list': { v: list(int(1), str('a'), nul) },
  'c/map': { v: map({ a: int(1) }) },
};

describe('filters', () => {
  it.each([
    [where('v', 'EQUAL', int(1)), ['one', 'oneDouble']],
    [where('v', 'EQUAL', nul), ['null']],
    [where('v', 'EQUAL', map({ a: dbl(1) })), ['map']],
    [where('v', 'EQUAL', list(int(1), str('a'), nul)), ['list']],
    [where('v', 'NOT_EQUAL', int(1)), ['list', 'map', 'nan', 'text', 'true', 'two']],
    [where('v', 'LESS_THAN', int(2)), ['one', 'oneDouble']],
    [where('v', 'LESS_THAN_OR_EQUAL', int(2)), ['one', 'oneDouble', 'two']],
    [where('v', 'GREATER_THAN', int(1)), ['two']],
    [where('v', 'GREATER_THAN_OR_EQUAL', dbl(1)), ['one', 'oneDouble', 'two']],
    [where('v', 'GREATER_THAN', str('')), ['text']],
    [where('v', 'IN', list(int(1), str('a'), nul, dbl('NaN'))), ['one', 'oneDouble', 'text']],
    [where('v', 'NOT_IN', list(int(1), str('a'))), ['list', 'map', 'nan', 'true', 'two']],
    [where('v', 'NOT_IN', list(int(1), nul)), []],
    [where('v', 'ARRAY_CONTAINS', dbl(1)), ['list']],
    [where('v', 'ARRAY_CONTAINS_ANY', list(int(9), str('a'))), ['list']],
    [where('v', 'ARRAY_CONTAINS_ANY', list(nul)), []],
    [unary('v', 'IS_NULL'), ['null']],
    [unary('v', 'IS_NAN'), ['nan']],
    [unary('v', 'IS_NOT_NULL'), ['list', 'map', 'nan', 'one', 'oneDouble', 'text', 'true', 'two']],
    [unary('v', 'IS_NOT_NAN'), ['list', 'map', 'one', 'oneDouble', 'text', 'true', 'two']],
    [where('v.a', 'EQUAL', int(1)), ['map']],
    [any(where('v', 'EQUAL', int(2)), where('w', 'EQUAL', int(1))), ['missing', 'two']],
    [
      any(all(where('v', 'EQUAL', int(2)), where('w', 'EQUAL', int(1))), unary('v', 'IS_NULL')),
      ['null'],
    ],
    [where('__name__', 'EQUAL', ref('c/one')), ['one']],
    [where('__name__', 'IN', list(ref('c/two'), ref('c/one'), ref('d/one'))), ['one', 'two']],
    [where('__name__', 'GREATER_THAN', ref('c/text')), ['true', 'two']],
    [where('constructor', 'NOT_EQUAL', int(1)), []],
  ])('%j finds %j', async (filter, ids) => {
    const database = await databaseWith(kinds);
    expect(sortedIdsOf(database, query('c', { where: filter }))).toEqual(ids);
  });
});

it('enumerations may come as numbers', async () => {
  const field = { fieldPath: 'v' };
  const filters = [
    { fieldFilter: { field, op: 3, value: int(0) } },
    { fieldFilter: { field, op: 6, value: int(2) } },
    { unaryFilter: { field, op: 4 } },
  ];
  const more = {
    where: { compositeFilter: { op: 1, filters } },
    orderBy: [{ field, direction: 2 }],
  };
  expect(idsOf(await databaseWith(kinds), query('c', more))).toEqual(['oneDouble', 'one']);
});

const cursor = (before: boolean, ...values: unknown[]) => ({ values, before });

describe('order, cursors, limit and offset', () => {
  const documents = {
    'c/a': { n: int(1), g: str('x') },
    'c/b': { n: int(2), g: str('y') },
    'c/c': { n: int(2), g: str('x') },
    'c/d': { n: int(3), g: str('y') },
    'c/e': { g: str('x') },
  };
  const byN = { orderBy: [orderBy('n')] };
  it.each([
    ['by key when nothing is said', {}, 'abcde'],
    ['without documents that lack the field', byN, 'abcd'],
    ['descending, the key as well', { orderBy: [orderBy('n', 'DESCENDING')] }, 'dcba'],
    ['by two fields', { orderBy: [orderBy('g', 'DESCENDING'), orderBy('n')] }, 'bdac'],
    ['by the field of an inequality', { where: where('n', 'GREATER_THAN', int(1)) }, 'bcd'],
    [
      'descending with a range',
      { where: where('n', 'LESS_THAN', int(3)), orderBy: [orderBy('n', 'DESCENDING')] },
      'cba',
    ],
    [
      'descending with a lower end',
      { where: where('n', 'GREATER_THAN_OR_EQUAL', int(2)), orderBy: [orderBy('n', 'DESCENDING')] },
      'dcb',
    ],
    ['limited', { ...byN, limit: 2 }, 'ab'],
    ['limited in the form of other clients', { ...byN, limit: { value: 2 } }, 'ab'],
    ['from an offset', { ...byN, offset: 1, limit: 2 }, 'bc'],
    ['from a value', { ...byN, startAt: cursor(true, int(2)) }, 'bcd'],
    ['after a value', { ...byN, startAt: cursor(false, int(2)) }, 'd'],
    ['after a document', { ...byN, startAt: cursor(false, int(2), ref('c/b')) }, 'cd'],
    ['up to a value', { ...byN, endAt: cursor(false, int(2)) }, 'abc'],
    ['before a value', { ...byN, endAt: cursor(true, int(2)) }, 'a'],
    ['after a value that is not there', { ...byN, startAt: cursor(false, dbl(2.5)) }, 'd'],
  ])('%s', async (_name, more, ids) => {
    expect(idsOf(await databaseWith(documents), query('c', more)).join('')).toBe(ids);
  });
});

describe('scope', () => {
  const documents = {
    'c/1': {},
    'p/a/c/2': {},
    'p/b/c/3': {},
    'p/a/c/2/c/4': {},
    'd/5': {},
    'pp/a/c/6': {},
  };
  const collection = structuredQuery('c');
  const group = structuredQuery('c', { from: [{ collectionId: 'c', allDescendants: true }] });
  it.each([
    ['a collection of the root', decodeQuery(collection, '', databaseNames), ['1']],
    ['a collection of a document', decodeQuery(collection, 'p/a', databaseNames), ['2']],
    ['a group', decodeQuery(group, '', databaseNames), ['1', '2', '3', '4', '6']],
    ['a group below a document', decodeQuery(group, 'p/a', databaseNames), ['2', '4']],
  ])('%s', async (_name, asked, ids) => {
    expect(sortedIdsOf(await databaseWith(documents), asked)).toEqual(ids);
  });
});

it('documents of a collection with the id "documents" are found by their keys', async () => {
  const paths = ['x/y/documents/a', 'x/y/documents/z/documents/z'];
  const database = await databaseWith(Object.fromEntries(paths.map((path) => [path, {}])));
  const from = [{ collectionId: 'documents', allDescendants: true }];
  for (const path of paths) {
    const byKey = structuredQuery('documents', {
      from,
      where: where('__name__', 'EQUAL', ref(path)),
    });
    const asked = decodeQuery(byKey, '', databaseNames);
    expect(answerOf(database, asked).map((each) => each.path)).toEqual([path]);
  }
});

const sixValues = [1, 2, 3, 4, 5, 6].map((each) => int(each));

it('a filter may have 30 disjunctions in normal form, and ten values that a field must not have', () => {
  const five = list(...sixValues.slice(1));
  const both = all(where('a', 'IN', list(...sixValues)), where('b', 'ARRAY_CONTAINS_ANY', five));
  expect(query('c', { where: both }).filter).not.toBeNull();
  const ten = list(...sixValues, ...sixValues.slice(2));
  expect(query('c', { where: where('a', 'NOT_IN', ten) }).filter).not.toBeNull();
});

it('a large operand is compared with many documents in a short time', async () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
  const large = map(Object.fromEntries(names.map((name) => [name, nul])));
  const paths = Array.from({ length: 300 }, (_, at) => `c/${at}`);
  const database = await databaseWith(
    Object.fromEntries(paths.map((path) => [path, { a: map({ k: int(1) }) }])),
  );
  const start = performance.now();
  for (const operator of ['EQUAL', 'NOT_EQUAL', 'IN', 'NOT_IN', 'LESS_THAN', 'GREATER_THAN']) {
    const operand = operator.endsWith('IN') ? list(large) : large;
    const found = answerOf(database, query('c', { where: where('a', operator, operand) }));
    const isMatch = operator.startsWith('NOT') || operator === 'LESS_THAN';
    expect(found).toHaveLength(isMatch ? paths.length : 0);
  }
  // Encoding the operand for each document takes a minute.
  expect(performance.now() - start).toBeLessThan(10_000);
});

it('a map of a document is encoded once for all comparisons with it', async () => {
  const mapOf = (n: number) => map({ a: int(n), b: str('b'.repeat(n)) });
  const database = await databaseWith({ 'c/1': { m: mapOf(0) }, 'c/2': { m: mapOf(0) } });
  const encodings = (count: number) => {
    const others = Array.from({ length: count }, (_, at) => where('m', 'NOT_EQUAL', mapOf(1 + at)));
    const asked = query('c', { where: all(...others) });
    const [first, second] = documentsOf(database, 'c');
    if (first === undefined || second === undefined) throw new Error('no documents');
    // This encodes the operands, which are kept.
    expect(matchesQuery(asked, first)).toBe(true);
    const spy = vi.spyOn(Buffer, 'concat');
    expect(matchesQuery(asked, second)).toBe(true);
    const { length } = spy.mock.calls;
    spy.mockRestore();
    return length;
  };
  expect(encodings(90)).toBeLessThan(6 * encodings(1));
});

describe('what is refused', () => {
  const notKey = /__key__ filter value must be a Key/;
  const elsewhere = { referenceValue: 'projects/other/databases/(default)/documents/c/a' };
  it.each([
    ['no collection', { from: [] }, /collection/],
    ['a reserved collection', { from: [{ collectionId: '__c__' }] }, /reserved/],
    ['an unknown operator', { where: where('a', 'LIKE', int(1)) }, /operator/],
    ['an empty list', { where: where('a', 'IN', list()) }, /non-empty/],
    [
      'very many filters',
      { where: all(...Array.from({ length: 101 }, () => unary('a', 'IS_NULL'))) },
      /at most 100/,
    ],
    [
      'a list of 31',
      { where: where('a', 'IN', list(...Array.from({ length: 31 }, () => int(1)))) },
      /30/,
    ],
    [
      'more than 30 disjunctions in normal form',
      { where: all(where('a', 'IN', list(...sixValues)), where('b', 'IN', list(...sixValues))) },
      /at most 30 disjunctions/,
    ],
    [
      'more than 30 alternatives',
      { where: any(...Array.from({ length: 31 }, () => unary('a', 'IS_NULL'))) },
      /at most 30 disjunctions/,
    ],
    [
      'more than ten values that a field must not have',
      { where: where('a', 'NOT_IN', list(...sixValues, ...sixValues)) },
      /up to 10/,
    ],
    ['a negative limit', { limit: -1 }, /limit/],
    ['a limit of more than 32 bits', { limit: 1e308 }, /limit/],
    [
      'a field after the key',
      { orderBy: [orderBy('__name__'), orderBy('a')] },
      /order by clause cannot contain more fields after the key/,
    ],
    [
      'a field that is named twice in the order',
      { orderBy: [orderBy('a'), orderBy('b'), orderBy('`a`', 'DESCENDING')] },
      /cannot contain duplicate fields/,
    ],
    [
      'two comparisons with the elements of arrays in one disjunction',
      {
        where: all(
          any(where('a', 'ARRAY_CONTAINS', int(1)), where('b', 'EQUAL', int(1))),
          where('a', 'ARRAY_CONTAINS_ANY', list(int(2))),
        ),
      },
      /one array-contains/,
    ],
    [
      'a key equality beside other inequalities',
      { where: all(where('__name__', 'EQUAL', ref('c/a')), where('a', 'GREATER_THAN', int(1))) },
      /Equality on key is not allowed/,
    ],
    ['a key that is text', { where: where('__name__', 'EQUAL', str('a')) }, notKey],
    ['a key that is null', { where: any(unary('__name__', 'IS_NULL')) }, notKey],
    ['a key of another database', { where: where('__name__', 'LESS_THAN', elsewhere) }, notKey],
    ['a key that is a collection', { where: where('__name__', 'EQUAL', ref('c')) }, notKey],
    ['a list with such a key', { where: where('__name__', 'IN', list(ref('c/a'), nul)) }, notKey],
    ['such a key to leave out', { where: where('__name__', 'NOT_IN', list(str('a'))) }, notKey],
    ['an element of a key', { where: where('__name__', 'ARRAY_CONTAINS', ref('c/a')) }, notKey],
    ['a cursor with such a key', { endAt: { values: [str('a')] } }, notKey],
    ['a cursor longer than the order', { startAt: { values: [int(1), int(1)] } }, /too many/],
  ])('%s', (_name, more, message) => {
    expect(() => query('c', more)).toThrow(message);
  });

  it('a filter nested 100,000 deep, without overflowing', () => {
    let filter: unknown = where('a', 'EQUAL', int(1));
    for (let level = 0; level < 100_000; level++) filter = all(filter);
    expect(() => query('c', { where: filter })).toThrow(/too deeply/);
  });
});

/** The queries that have an index from a restart on, by their numbers; null for no restart. */
const anyRestart = fc.option(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]));

describe('the indexes', () => {
  it('find the same documents as a full scan, through any history of changes and of starts with others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyQuery, { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(fc.array(anyWrite, { minLength: 1, maxLength: 6 }), anyRestart), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.constantFrom('', 'p/x'),
        async (asked, steps, parent) => {
          const queries = asked.map((structured) => decodeQuery(structured, parent, databaseNames));
          const store = createMemoryStore();
          let { database } = await openTestDatabase({ store, indexed: queries });
          for (const [json, chosen] of steps) {
            await database.commit(admin, writes(...json));
            if (chosen !== null) {
              const indexed = queries.filter((_, at) => chosen.includes(at));
              ({ database } = await openTestDatabase({ store, indexed }));
            }
            for (const each of queries) {
              const wanted = evaluateQuery(each, documentsOf(database, 'c')).map(
                (found) => found.path,
              );
              expect(answerOf(database, each).map((found) => found.path)).toEqual(wanted);
              expect(countOf(database, each)).toBe(wanted.length);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('page through 10,000 documents of one owner among others, without gap or repeat', async () => {
    const { database } = await openTestDatabase();
    for (let start = 0; start < 10_000; start += 500) {
      const json = Array.from({ length: 500 }, (_, at) =>
        setWrite(`pets/p/journalEntries/${start + at}`, {
          seq: int(start + at + 1),
          createdBy: str('alice'),
        }),
      );
      await database.commit(admin, writes(...json));
    }
    await database.commit(
      admin,
      writes(setWrite('pets/q/journalEntries/b', { seq: int(5), createdBy: str('bob') })),
    );
    const seen: unknown[] = [];
    for (let after = 0; ; after = seen.length) {
      const page = answerOf(
        database,
        query('journalEntries', {
          from: [{ collectionId: 'journalEntries', allDescendants: true }],
          where: all(
            where('createdBy', 'EQUAL', str('alice')),
            where('seq', 'GREATER_THAN', int(after)),
          ),
          orderBy: [orderBy('seq')],
          limit: 500,
        }),
      );
      if (page.length === 0) break;
      expect(page.length).toBe(500);
      seen.push(...page.map((each) => each.path));
    }
    expect(new Set(seen).size).toBe(10_000);
  });
});
