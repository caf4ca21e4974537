import { describe, expect, it } from 'vitest';
import {
  all,
  dbl,
  deleteWrite,
  int,
  nul,
  orderBy,
  query,
  setWrite,
  str,
  where,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { evaluateQuery } from '../../../tests/support/evaluate-query.ts';
import { createMemoryStore, type MemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  answerOf,
  countOf,
  documentsOf,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import { admin } from '../../caller.ts';
import type { Query } from '../query/query.ts';
import type { Database } from './database.ts';

interface Own {
  readonly store?: MemoryStore;
  readonly indexed?: readonly Query[];
  readonly shortage?: () => string | null;
}

const open = ({ store = createMemoryStore(), ...more }: Own = {}) =>
  openTestDatabase({ store, ...more });
const byN = query('c', { orderBy: [orderBy('n')] });
const byS = query('c', { orderBy: [orderBy('s')] });
const fill = async (database: Database, count: number) => {
  for (let start = 0; start < count; start += 100) {
    const json = Array.from({ length: 100 }, (_, at) =>
      setWrite(`c/${start + at}`, { n: int((start + at) % 7), s: str('x') }),
    );
    await database.commit(admin, writes(...json));
  }
};
/** Returns a store with documents, of which there is no index yet. */
const filled = async (count: number) => {
  const { database, store } = await open();
  await fill(database, count);
  await database.close();
  return store;
};
/** Returns the store with a disk that takes only so many more writes. */
function failingAfter(count: number, store: MemoryStore): MemoryStore {
  const full = createMemoryStore(store.content);
  let left = count;
  return {
    ...full,
    write(...written) {
      full.fail(left-- <= 0);
      return full.write(...written);
    },
  };
}
const keysUnder = ({ content }: MemoryStore, prefix: string) =>
  [...content.keys()].filter((key) => key.startsWith(prefix)).length;
const entries = (store: MemoryStore) => keysUnder(store, 'fs/i/');
const records = (store: MemoryStore) => keysUnder(store, 'fs/x/');
const idsOf = (database: Database, asked: Query) =>
  answerOf(database, asked).map((each) => each.path);
const expected = (database: Database, asked: Query) =>
  evaluateQuery(asked, documentsOf(database, 'c')).map((each) => each.path);
const expectRight = (database: Database, ...queries: readonly Query[]) => {
  for (const asked of queries) {
    expect(idsOf(database, asked)).toEqual(expected(database, asked));
    expect(countOf(database, asked)).toBe(expected(database, asked).length);
  }
};

describe('an index', () => {
  it('is made of the documents that are there, follows each commit, and stays over a restart', async () => {
    const store = await filled(300);
    expect(entries(store)).toBe(0);
    const { database } = await open({ store, indexed: [byN] });
    expect(entries(store)).toBe(300);
    await database.commit(
      admin,
      writes(setWrite('c/new', { n: int(3) }), setWrite('c/1', { n: int(9) }), deleteWrite('c/2')),
    );
    await database.commit(admin, writes(setWrite('c/without', { m: int(3) })));
    expectRight(database, byN);
    expect(entries(store)).toBe(300);
    await database.close();

    const before = store.writes.length;
    const again = await open({ store, indexed: [byN] });
    expect(store.writes.slice(before).flat()).toEqual([]);
    expectRight(again.database, byN);
  });

  it('is removed with its entries when it is not asked for any more', async () => {
    const store = await filled(300);
    await open({ store, indexed: [byN, byS] });
    expect([entries(store), records(store)]).toEqual([600, 2]);
    const { database } = await open({ store, indexed: [byS] });
    expect([entries(store), records(store)]).toEqual([300, 1]);
    await database.commit(admin, writes(setWrite('c/new', { n: int(3), s: str('y') })));
    const { database: again } = await open({ store, indexed: [byN, byS] });
    expect(entries(store)).toBe(602);
    expectRight(again, byN, byS);
  });

  it('is made anew if its making was interrupted, and finds no entries of another one', async () => {
    const store = await filled(5100);
    const { database, storageFailures } = await open({
      store: failingAfter(1, store),
      indexed: [byN],
    });
    expect(storageFailures).toHaveLength(1);
    expect([entries(store), records(store)]).toEqual([500, 0]);
    expectRight(database, byN);

    const { database: again } = await open({ store, indexed: [byS] });
    expect(entries(store)).toBe(5100);
    expectRight(again, byN, byS);
  });

  it('is not made while the disk is full', async () => {
    const store = await filled(100);
    const { database } = await open({ store, indexed: [byN], shortage: () => 'full' });
    expect(entries(store)).toBe(0);
    expectRight(database, byN);
  });

  it('is right again though it could not be removed while nobody asked for it', async () => {
    const store = await filled(100);
    await open({ store, indexed: [byN] });
    store.fail();
    const { database, storageFailures } = await open({ store, indexed: [byS] });
    expect(storageFailures).toHaveLength(1);
    expectRight(database, byN, byS);
    store.fail(false);
    await database.commit(admin, writes(setWrite('c/1', { n: int(9) })));
    expect(records(store)).toBe(0);

    const { database: again } = await open({ store, indexed: [byN] });
    expect(entries(store)).toBe(100);
    expectRight(again, byN);
  });

  it('is left out if a document cannot be read, and the others are made', async () => {
    const store = await filled(100);
    const [key = '', record = ''] =
      [...store.content].find(([each]) => each.startsWith('fs/d/')) ?? [];
    store.content.set(key, record.slice(0, -1));
    const ofOthers = query('d', { orderBy: [orderBy('n')] });
    const { database, storageFailures } = await open({ store, indexed: [byN, ofOthers] });
    expect(storageFailures).toHaveLength(1);
    expect([entries(store), records(store)]).toEqual([0, 1]);
    await database.commit(admin, writes(setWrite('d/later', { n: int(1) })));
    expect(idsOf(database, ofOthers)).toEqual(['d/later']);
  });
});

describe('keys that are longer than the store takes', () => {
  const long = (end: string) => str('x'.repeat(3000) + end);

  it('are in order, found by equality, and counted', async () => {
    const { database } = await open();
    const ends = ['c', 'a', 'b', 'e', 'd'];
    await database.commit(
      admin,
      writes(
        ...ends.map((end) => setWrite(`c/${end}`, { s: long(end) })),
        setWrite('c/0', { s: str('w') }),
        setWrite('c/1', { s: str('y') }),
      ),
    );
    const cursor = (end: string, before: boolean) => ({ values: [long(end)], before });
    const queries = [
      query('c', { orderBy: [orderBy('s')] }),
      query('c', { orderBy: [orderBy('s', 'DESCENDING')] }),
      query('c', { orderBy: [orderBy('s')], startAt: cursor('b', false), limit: 2 }),
      query('c', { orderBy: [orderBy('s', 'DESCENDING')], endAt: cursor('b', true) }),
      query('c', { where: where('s', 'EQUAL', long('d')) }),
      query('c', { where: where('s', 'GREATER_THAN', long('b')) }),
      query('c', {
        where: all(where('s', 'LESS_THAN', long('d')), where('s', 'GREATER_THAN', str('w'))),
      }),
    ];
    expectRight(database, ...queries);
    expect(queries.map((asked) => countOf(database, asked))).toEqual([7, 7, 2, 4, 1, 4, 3]);
  });

  it('are in order with those that the store just takes', async () => {
    const asked = { where: where('a', 'EQUAL', int(1)) };
    const orders = ['ASCENDING', 'DESCENDING'].map((direction) => [orderBy('s', direction)]);
    const indexed = orders.map((each) => query('c', { ...asked, orderBy: each }));
    // The kept bytes end at each of these lengths within the text, at its end, or in the path behind it.
    for (let length = 1880; length <= 1920; length += 2) {
      const { database } = await open({ indexed });
      const text = (end: string) => ({ a: int(1), s: str('x'.repeat(length) + end) });
      const ends = ['b', 'a'.repeat(200), `a${'a'.repeat(200)}b`, 'a', `c${'a'.repeat(200)}`, 'd'];
      await database.commit(
        admin,
        writes(...ends.map((end, at) => setWrite(`c/${at}`, text(end)))),
      );
      const cursor = { values: [str(`${'x'.repeat(length)}b`)], before: false };
      for (const each of orders) {
        expectRight(
          database,
          query('c', { ...asked, orderBy: each }),
          query('c', { ...asked, orderBy: each, limit: 1 }),
          query('c', { ...asked, orderBy: each, startAt: cursor }),
          query('c', { ...asked, orderBy: each, endAt: cursor, offset: 1 }),
        );
      }
      expect(countOf(database, query('c', asked))).toBe(ends.length);
    }
  });

  it('are those of long paths as well', async () => {
    const { database, store } = await open();
    const paths = ['b', 'a', 'c'].map((end) => `p/${'x'.repeat(1400)}/c/${'y'.repeat(1400)}${end}`);
    await database.commit(admin, writes(...paths.map((path) => setWrite(path, { n: int(1) }))));
    const group = { from: [{ collectionId: 'c', allDescendants: true }] };
    expect(idsOf(database, query('c', group))).toEqual(paths.toSorted());
    const [path = ''] = paths;
    expect(database.peek(path)?.path).toBe(path);
    expect(documentsOf(database, 'c').length).toBe(3);
    const again = await open({ store });
    expect(again.database.peek(path)?.path).toBe(path);
  });
});

describe('an order by a field with an equality filter', () => {
  it('is left out, with the values of the cursors for it', async () => {
    const values = [int(0), dbl(0), dbl(-0), int(1), nul, str('0')];
    const b = (at: number) => int(at % 2);
    const documents = values.map((a, at) => setWrite(`c/${at}`, { a, b: b(at) }));
    const zero = { where: where('a', 'EQUAL', int(0)) };
    const indexed = [query('c', { ...zero, orderBy: [orderBy('b')] })];
    const cursors = [-1, 0, 1].flatMap((n) =>
      [true, false].flatMap((before) => [
        { values: [int(n)], before },
        { values: [dbl(n), int(0)], before },
        { values: [int(0), dbl(n)], before },
      ]),
    );
    for (const { database } of [await open(), await open({ indexed })]) {
      await database.commit(admin, writes(...documents));
      expect(countOf(database, query('c', zero))).toBe(3);
      for (const [first, second] of ['ab', 'ba']) {
        for (const direction of ['ASCENDING', 'DESCENDING']) {
          const orders = [orderBy(first ?? '', direction), orderBy(second ?? '')];
          const asked = { ...zero, orderBy: orders };
          expectRight(database, query('c', asked));
          for (const each of cursors) {
            expectRight(database, query('c', { ...asked, startAt: each }));
            expectRight(database, query('c', { ...asked, endAt: each, limit: 2 }));
          }
        }
      }
    }
  });
});

describe('documents below documents of a collection with the same name', () => {
  it('are not counted with it', async () => {
    const { database } = await open();
    await database.commit(
      admin,
      writes(...['c/1', 'c/1/c/2', 'c/3', 'd/1/c/4'].map((path) => setWrite(path, {}))),
    );
    expect(countOf(database, query('c', {}))).toBe(2);
    expect(idsOf(database, query('c', {}))).toEqual(['c/1', 'c/3']);
  });
});
