import { getHeapStatistics } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import {
  all,
  deleteWrite,
  int,
  map,
  orderBy,
  query,
  setWrite,
  str,
  structuredQuery,
  where,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { createSliceClock } from '../../../tests/support/fakes/slice-clock.ts';
import { openListener, queryTarget } from '../../../tests/support/listen-kit.ts';
import {
  aliceCaller,
  answerOf,
  resumption,
  databaseNames,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import type { JsonObject } from '../../json.ts';
import { LimitError } from '../../limits/limit-error.ts';
import { finish, type Steps } from '../../limits/slices.ts';
import { admin } from '../../caller.ts';
import type { Query } from '../query/query.ts';
import { restReads } from '../rest/rest-methods.ts';
import type { StoredDocument } from '../values/document.ts';
import type { Database } from './database.ts';
import { createSorters } from './sorter.ts';

const count = 1000;
/** The documents of a slice. */
const sliceDocuments = 192;
const inC = query('c', {});
const nameOf = (at: number) => `c/${String(at).padStart(4, '0')}`;

/** Creates a store that counts the entries that are read from its snapshots. */
function createCountingStore() {
  const store = createMemoryStore();
  let entries = 0;
  const snapshot = (): ReturnType<typeof store.snapshot> => {
    const original = store.snapshot();
    return {
      ...original,
      *range(range) {
        for (const each of original.range(range)) {
          entries++;
          yield each;
        }
      },
    };
  };
  let gets = 0;
  const get: typeof store.get = (key) => {
    gets++;
    return store.get(key);
  };
  return { store: { ...store, get, snapshot }, entries: () => entries, gets: () => gets };
}

async function setUp(
  fields: (at: number) => Record<string, unknown> = (at) => ({ n: int(at) }),
  indexed: readonly Query[] = [],
) {
  const { store, entries, gets } = createCountingStore();
  const clock = createSliceClock(sliceDocuments);
  let asked = 0;
  let onAsked: () => void = () => undefined;
  const test = await openTestDatabase({
    store,
    clock,
    indexed,
    // The cache has room for half of the documents.
    limits: { documentCacheBytes: 500 * 1000 },
    policy: () => {
      asked++;
      onAsked();
      return true;
    },
  });
  const { database } = test;
  const documents = Array.from({ length: count }, (_, at) => setWrite(nameOf(at), fields(at)));
  await database.commit(admin, writes(...documents));
  const takeLong = () => {
    // The rules, the view and the slice look at the time once for each document.
    onAsked = () => clock.pass(1);
  };
  return { ...test, entries, gets, asked: () => asked, takeLong };
}

/** Returns the largest increase of `done` within one slice. */
function largestSlice(steps: Steps<unknown>, done: () => number): number {
  let largest = 0;
  let before = done();
  for (;;) {
    const step = steps.next();
    largest = Math.max(largest, done() - before);
    before = done();
    if (step.done === true) return largest;
  }
}

const readAll = (database: Database, asked: Query, found: StoredDocument[] = []) =>
  database.read(aliceCaller, asked, (each) => void found.push(each));

function call(database: Database, method: string, body: JsonObject) {
  const answer: unknown[] = [];
  const read = restReads.get(method);
  if (read === undefined) throw new Error('no such method');
  const steps = read({ database, caller: aliceCaller, parent: '', body }, (part) =>
    answer.push(part),
  );
  return { steps, answer };
}

describe('an answer of 1,000 documents', () => {
  it('is read in slices, each document of which takes its share of the time', async () => {
    const { database, entries } = await setUp();
    const found: StoredDocument[] = [];
    expect(largestSlice(readAll(database, inC, found), entries)).toBe(sliceDocuments);
    expect(found.map((each) => each.path)).toEqual(
      Array.from({ length: count }, (_, at) => nameOf(at)),
    );
  });

  it('is read from the change log in slices', async () => {
    const { database, entries } = await setUp();
    const view = database.openView();
    // The view looks at the time for each document as well.
    expect(largestSlice(view.changesSince(resumption(inC, 0)), entries)).toBe(sliceDocuments / 2);
  });

  it.each<[string, Query]>([
    ['whose filter none of them passes', query('c', { where: where('n', 'NOT_EQUAL', int(1)) })],
    [
      'that an index finds',
      query('c', { where: where('n', 'LESS_THAN', int(900)), orderBy: [orderBy('n')] }),
    ],
    ['that are skipped', query('c', { offset: 990 })],
  ])('is read in slices, also of documents %s', async (_, asked) => {
    const { database, entries } = await setUp(undefined, [query('c', { orderBy: [orderBy('n')] })]);
    const before = entries();
    expect(largestSlice(readAll(database, asked), entries)).toBeLessThanOrEqual(sliceDocuments);
    expect(entries() - before).toBeGreaterThan(800);
  });

  it('does not evict from the cache what others use', async () => {
    const { database, gets } = await setUp();
    const [first, last] = [nameOf(0), nameOf(count - 1)];
    database.peek(last);
    const before = gets();
    finish(readAll(database, query('c', { limit: count - 1 })));
    database.peek(last);
    expect(gets()).toBe(before);
    database.peek(first);
    expect(gets()).toBe(before);
    database.peek(nameOf(500));
    expect(gets()).toBe(before + 1);
  });

  it('is read in smaller slices where the rules take long for each document', async () => {
    const { database, asked, takeLong } = await setUp();
    takeLong();
    const documents = Array.from({ length: count }, (_, at) => databaseNames.toName(nameOf(at)));
    const { steps, answer } = call(database, 'batchGet', { documents });
    expect(largestSlice(steps, asked)).toBe(sliceDocuments / 4);
    expect(answer).toHaveLength(count);
  });

  it('is summed up in slices', async () => {
    const { database, entries } = await setUp();
    const structuredAggregationQuery = {
      structuredQuery: structuredQuery('c', {}),
      aggregations: [{ alias: 'sum', sum: { field: { fieldPath: 'n' } } }],
    };
    const body = { structuredAggregationQuery };
    const { steps, answer } = call(database, 'runAggregationQuery', body);
    expect(largestSlice(steps, entries)).toBe(sliceDocuments);
    expect(answer).toMatchObject([{ result: { aggregateFields: { sum: int(499_500) } } }]);
  });

  it('is counted in slices', async () => {
    const { database, entries } = await setUp();
    const view = database.openView();
    const odd = query('c', { where: where('n', 'NOT_IN', { arrayValue: { values: [int(1)] } }) });
    expect(largestSlice(view.count(odd), entries)).toBe(sliceDocuments);
  });
});

describe('all slices of an answer', () => {
  it('are of one version, whatever is written meanwhile, and whatever is in the cache', async () => {
    const { database } = await setUp();
    const found: StoredDocument[] = [];
    const reading = readAll(database, inC, found);
    reading.next();
    const version = database.readVersion();
    const commit = await database.commit(
      admin,
      writes(
        setWrite(nameOf(0), { n: int(-1) }),
        setWrite(nameOf(998), { n: int(-1) }),
        deleteWrite(nameOf(999)),
        setWrite('c/new', {}),
      ),
    );
    // The query fills the cache of the published version.
    finish(database.readPublished(inC, () => undefined));
    const readVersion = finish(reading);
    expect(found).toHaveLength(count);
    expect(found.every((each) => each.updateVersion <= readVersion)).toBe(true);
    expect([readVersion, readVersion < commit.version]).toEqual([version, true]);
    expect(found.at(-1)?.path).toBe(nameOf(999));
    // The documents of the old version do not appear in the new one.
    expect(database.peek(nameOf(998))?.fields.get('n')).toMatchObject({ value: -1n });
    expect(database.peek(nameOf(999))).toBeNull();
  });

  it('are refused when their version has become too old, although the clock was set back', async () => {
    const { database, clock } = await setUp();
    const reading = readAll(database, inC);
    reading.next();
    clock.set(clock.now() - 3_600_000);
    clock.advance(31_000);
    expect(() => finish(reading)).toThrow('Too much at once');
  });
});

describe('documents that a query has to sort', () => {
  it('are compared once, before they are sorted', async () => {
    const { database } = await openTestDatabase();
    const documents = Array.from({ length: 100 }, (_, at) =>
      setWrite(`c/${at}`, { n: int(at), m: map({ n: int(at) }) }),
    );
    await database.commit(admin, writes(...documents));
    const filters = Array.from({ length: 50 }, (_, at) =>
      where('m', 'NOT_EQUAL', map({ n: int(-1 - at) })),
    );
    const asked = query('c', { where: all(...filters) });
    const compare = vi.spyOn(Buffer, 'compare');
    expect(answerOf(database, asked)).toHaveLength(100);
    expect(compare.mock.calls.length).toBeLessThan(1.5 * 100 * 50);
    compare.mockRestore();
  });

  const idsOf = (database: Database, asked: Query) =>
    answerOf(database, asked).map((each) => each.path);

  it('are kept only as far as the window of the query has them, or the query is refused', async () => {
    const { database } = await openTestDatabase({ limits: { sortedCharacters: 60_000 } });
    const ends = Array.from({ length: 20 }, (_, at) => String.fromCodePoint(116 - at));
    const documents = ends.map((end) =>
      setWrite(`c/${end}`, { s: str('x'.repeat(3000) + end), end: str(end) }),
    );
    await database.commit(admin, writes(...documents));
    const byS = { orderBy: [orderBy('s')] };
    const [whole, window, few] = [
      query('c', byS),
      query('c', { ...byS, offset: 1, limit: 2 }),
      query('c', { ...byS, where: where('end', 'IN', { arrayValue: { values: [str('c')] } }) }),
    ];
    expect(idsOf(database, window)).toEqual(['c/b', 'c/c']);
    expect(idsOf(database, few)).toEqual(['c/c']);
    expect(() => idsOf(database, whole)).toThrow(
      expect.objectContaining({ status: 'RESOURCE_EXHAUSTED' }),
    );
    const { sink, stream } = await openListener({ database });
    stream.onMessage(queryTarget(2, byS));
    await expect.poll(() => sink.take()).toEqual(['ADD 2', 'REMOVE 2 8']);
    stream.onMessage(queryTarget(4, { ...byS, limit: 1 }));
    await expect
      .poll(() => sink.take())
      .toEqual(['ADD 4', 'change c/a in 4 out ', 'CURRENT 4', 'SNAPSHOT']);
  });

  it('are limited for all queries together, until those that are read have ended', async () => {
    const { database } = await openTestDatabase({
      clock: createSliceClock(sliceDocuments),
      limits: { allSortedCharacters: 240_000 },
    });
    const paths = Array.from({ length: 400 }, (_, at) => `c/${at}`);
    const documents = paths.map((path) => setWrite(path, { s: str(path.padStart(100)) }));
    await database.commit(admin, writes(...documents));
    const asked = query('c', { orderBy: [orderBy('s')] });
    const open = () => database.readPublished(asked, () => undefined);
    const [first, second] = [open(), open()];
    expect([first.next().done, second.next().done]).toEqual([false, false]);
    expect(() => finish(open())).toThrow(LimitError);
    finish(first);
    second.return();
    expect(idsOf(database, asked)).toHaveLength(400);
  });

  it('are limited to a share of the heap, and those of one query for good', async () => {
    const { database } = await openTestDatabase();
    await database.commit(admin, writes(setWrite('c/a', { n: int(1) })));
    const document = database.peek('c/a');
    if (document === null) throw new Error('not written');
    const open = createSorters(
      { sortedCharacters: Infinity, allSortedCharacters: Infinity },
      () => 0,
    );
    const openNext = () => open(query('c', { orderBy: [orderBy('n')] }));
    const share = getHeapStatistics().heap_size_limit / 32;
    const add = (characters: number, sorter = openNext()) =>
      finish(sorter.add({ document, characters }));
    const alone = openNext();
    add(share / 3, alone);
    expect(() => add(share / 3, alone)).toThrow(/too large/);
    alone.forget();
    add(share / 3);
    add(share / 3);
    expect(() => add(share / 2)).toThrow(LimitError);
  });

  it('are sorted and passed on in slices', async () => {
    const shuffled = (at: number) => (at * 7919) % count;
    const { database } = await setUp((at) => ({ n: int(shuffled(at)) }));
    const found: StoredDocument[] = [];
    const compare = vi.spyOn(Buffer, 'compare');
    const done = () => Math.max(found.length * 20, compare.mock.calls.length);
    const byN = query('c', { orderBy: [orderBy('n', 'DESCENDING')] });
    // The time is looked at after the sorting of each 200 documents, and then after each comparison.
    expect(largestSlice(readAll(database, byN, found), done)).toBeLessThan(
      200 * 8 + sliceDocuments * 20,
    );
    compare.mockRestore();
    const paths = Array.from({ length: count }, (_, at) => [shuffled(at), nameOf(at)] as const);
    expect(found.map(({ path }) => path)).toEqual(
      paths.toSorted(([one], [other]) => other - one).map(([, path]) => path),
    );
  });

  it('are as many as twice the limit of the query and one slice', async () => {
    const { database } = await openTestDatabase({ limits: { allSortedCharacters: 200_000 } });
    const paths = Array.from({ length: 1000 }, (_, at) => `c/${at}`);
    const documents = paths.map((path, at) =>
      setWrite(path, { n: int((at * 7919) % 1000), s: str('x'.repeat(200)) }),
    );
    await database.commit(admin, writes(...documents));
    const byN = { orderBy: [orderBy('n')] };
    const numbers = answerOf(database, query('c', { ...byN, offset: 10, limit: 90 }));
    expect(numbers.map(({ fields }) => fields.get('n'))).toMatchObject(
      Array.from({ length: 90 }, (_, at) => ({ value: BigInt(10 + at) })),
    );
    expect(() => answerOf(database, query('c', byN))).toThrow(LimitError);
  });

  it('are none where an index has the order of the query, and some of its equalities', async () => {
    const byN = { orderBy: [orderBy('n')] };
    const one = where('m', 'EQUAL', int(1));
    const { database, entries } = await setUp(
      (at) => ({ n: int(-at), m: int(at % 2), end: int(at % 3) }),
      [query('c', byN), query('c', { where: where('end', 'EQUAL', int(0)) })],
    );
    const read = (asked: Query) => {
      const before = entries();
      const found: StoredDocument[] = [];
      finish(readAll(database, asked, found));
      return [found.length, entries() - before];
    };
    expect(read(query('c', { ...byN, where: one, limit: 10 }))).toEqual([10, 19]);
    const two = all(one, where('end', 'EQUAL', int(2)));
    expect(read(query('c', { where: two, limit: 10 }))).toEqual([10, 20]);
    const fixed = ['m', 'end'].map((field) => orderBy(field, 'DESCENDING'));
    expect(read(query('c', { where: two, orderBy: fixed, limit: 10 }))).toEqual([10, 20]);
    expect(read(query('c', { where: two, orderBy: [orderBy('k')] }))).toEqual([0, 333]);
  });
});
