import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyQuery, anyWrite } from '../../../tests/support/any-query.ts';
import {
  all,
  deleteWrite,
  int,
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
  aliceCaller,
  answerOf,
  bobCaller,
  countOf,
  documentsOf,
  openTestDatabase,
} from '../../../tests/support/test-database.ts';
import { admin, type Caller } from '../../caller.ts';
import { decodeQuery } from '../query/query-codec.ts';
import type { Query } from '../query/query.ts';
import type { Database } from './database.ts';

const limits = { unindexedDocuments: 0 };
const open = async (more: { store?: MemoryStore; shortage?: () => string | null } = {}) => {
  const store = more.store ?? createMemoryStore();
  return { ...(await openTestDatabase({ ...more, store, limits })), store };
};
const byN = query('c', { orderBy: [orderBy('n')] });
const fill = async (database: Database, count: number) => {
  for (let start = 0; start < count; start += 100) {
    const json = Array.from({ length: 100 }, (_, at) =>
      setWrite(`c/${start + at}`, { n: int((start + at) % 7), s: str('x') }),
    );
    await database.commit(admin, writes(...json));
  }
};
const entries = ({ content }: MemoryStore) =>
  [...content.keys()].filter((key) => key.startsWith('fs/i/')).length;
const idsOf = (database: Database, asked: Query) =>
  answerOf(database, asked).map((each) => each.path);
const expected = (database: Database, asked: Query) =>
  evaluateQuery(asked, documentsOf(database, 'c')).map((each) => each.path);

describe('an index', () => {
  it('is made when it is first asked for, and is there from then on', async () => {
    const { database, store } = await open();
    await fill(database, 300);
    expect(entries(store)).toBe(0);
    expect(idsOf(database, byN)).toEqual(expected(database, byN));
    await database.prepare(admin, byN);
    expect(entries(store)).toBe(300);
    expect(database.prepare(admin, byN)).toBeUndefined();
    expect(idsOf(database, byN)).toEqual(expected(database, byN));

    const again = await open({ store });
    expect(again.database.prepare(admin, byN)).toBeUndefined();
    expect(idsOf(again.database, byN)).toEqual(expected(again.database, byN));
  });

  it('serves the descending query as well', async () => {
    const { database, store } = await open();
    await fill(database, 100);
    await database.prepare(admin, byN);
    const descending = query('c', { orderBy: [orderBy('n', 'DESCENDING')], limit: 10 });
    expect(database.prepare(admin, descending)).toBeUndefined();
    expect(idsOf(database, descending)).toEqual(expected(database, descending));
    expect(entries(store)).toBe(100);
  });

  it('of the order of keys is the documents themselves', async () => {
    const { database } = await open();
    await fill(database, 100);
    expect(database.prepare(admin, query('c', {}))).toBeUndefined();
  });

  it('is not built for a caller without the right to query', async () => {
    const { database, store } = await openTestDatabase({ policy: () => false, limits });
    await database.commit(admin, writes(setWrite('c/a', { n: int(1) })));
    expect(() => database.prepare(null, byN)).toThrow(
      expect.objectContaining({ status: 'PERMISSION_DENIED' }),
    );
    expect(entries(store)).toBe(0);
  });

  it('is refused without counting a large collection anew, until a document is deleted', async () => {
    const store = createMemoryStore();
    const count = vi.spyOn(store, 'count');
    const { database } = await openTestDatabase({
      store,
      policy: () => false,
      limits: { unindexedDocuments: 1 },
    });
    await database.commit(admin, writes(setWrite('c/a', {}), setWrite('c/b', {})));
    expect(() => database.prepare(null, byN)).toThrow('permission');
    count.mockClear();
    expect(() => database.prepare(null, byN)).toThrow('permission');
    expect(count).not.toHaveBeenCalled();
    await database.commit(admin, writes(deleteWrite('c/a')));
    expect(database.prepare(null, byN)).toBeUndefined();
  });

  it('continues to be built after a restart', async () => {
    const { database, store } = await open();
    await fill(database, 1000);
    const copy = createMemoryStore();
    const made = database.prepare(admin, byN);
    await database.commit(admin, []);
    await database.commit(admin, []);
    for (const [key, value] of store.content) copy.content.set(key, value);
    await made;
    expect(entries(copy)).toBeLessThan(1000);
    expect(entries(copy)).toBeGreaterThan(0);

    const again = await open({ store: copy });
    await again.database.prepare(admin, byN);
    expect(entries(copy)).toBe(1000);
    expect(idsOf(again.database, byN)).toEqual(expected(again.database, byN));
  });

  it('delays no stop while it is built', async () => {
    const { database, store } = await open();
    await fill(database, 1000);
    void database.prepare(admin, byN);
    const committed = database.commit(admin, writes(setWrite('c/new', { n: int(1) })));
    await Promise.resolve();
    await database.close();
    await committed;
    expect(entries(store)).toBeLessThan(1000);

    const again = await open({ store });
    await again.database.prepare(admin, byN);
    expect(entries(store)).toBe(1001);
  });

  it('is right though documents change while it is made', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
        anyQuery,
        async (steps, structured) => {
          const { database } = await open();
          await fill(database, 300);
          const asked = decodeQuery(structured, '');
          const made = database.prepare(admin, asked);
          const commits = steps.map(async (json, at) => {
            for (let turn = 0; turn < at * 3; turn++) await Promise.resolve();
            await database.commit(admin, writes(...json));
          });
          await Promise.all([made, ...commits]);
          expect(idsOf(database, asked)).toEqual(expected(database, asked));
          expect(countOf(database, asked)).toBe(expected(database, asked).length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is not waited for when the disk fails or has no room, and is made later', async () => {
    let shortage: string | null = null;
    const { database, store } = await open({ shortage: () => shortage });
    await fill(database, 100);
    store.fail();
    await database.prepare(admin, byN);
    expect(idsOf(database, byN)).toEqual(expected(database, byN));
    store.fail(false);
    shortage = 'full';
    expect(database.prepare(admin, byN)).toBeUndefined();
    shortage = null;
    await database.prepare(admin, byN);
    expect(entries(store)).toBe(100);
  });

  it('is not built from documents of which one cannot be read, which stops no commit', async () => {
    const { database, store, storageFailures } = await open();
    await fill(database, 100);
    const [key = '', record = ''] =
      [...store.content].find(([each]) => each.startsWith('fs/d/')) ?? [];
    store.content.set(key, record.slice(0, -1));
    await database.prepare(admin, byN);
    expect(storageFailures).toHaveLength(1);
    expect(entries(store)).toBe(0);
    await database.commit(admin, writes(setWrite('c/later', { n: int(1) })));
    expect(database.get(admin, 'c/later')).not.toBeNull();

    store.content.set(key, record);
    await database.prepare(admin, byN);
    expect(idsOf(database, byN)).toEqual(expected(database, byN));
  });

  it('is refused only to a user with too many unfinished indexes', async () => {
    const { database } = await open();
    await fill(database, 300);
    const by = (caller: Caller, field: string) =>
      database.prepare(caller, query('c', { orderBy: [orderBy(field)] }));
    const made = ['a', 'b', 'c', 'd'].map((field) => by(aliceCaller, field));
    expect(() => by(aliceCaller, 'e')).toThrow(
      expect.objectContaining({ status: 'RESOURCE_EXHAUSTED' }),
    );
    made.push(by(aliceCaller, 'a'), by(bobCaller, 'e'), by(bobCaller, 'a'));
    for (const each of made) await each;
    await by(aliceCaller, 'f');
    expect(by(aliceCaller, 'f')).toBeUndefined();
  });

  it('is evicted with its entries when many others are used more recently', async () => {
    const { database, store } = await open();
    await fill(database, 100);
    await database.prepare(admin, byN);
    for (let at = 0; at < 40; at++) {
      await database.prepare(admin, query('c', { orderBy: [orderBy(`f${at}`)] }));
      expect(database.prepare(admin, byN)).toBeUndefined();
    }
    const records = () => [...store.content.keys()].filter((key) => key.startsWith('fs/x/'));
    await database.close();
    expect(records().length).toBe(32);
    expect(entries(store)).toBe(100);
    const again = await open({ store });
    expect(again.database.prepare(admin, byN)).toBeUndefined();
  });
});

it('an evicted index goes with its entries while others are made all the time', async () => {
  const { database, store } = await open();
  await fill(database, 3_000);
  await database.prepare(admin, byN);
  expect(entries(store)).toBe(3_000);
  const ask = (at: number) => database.prepare(admin, query('c', { orderBy: [orderBy(`f${at}`)] }));
  let next = ask(0);
  for (let at = 1; at < 45; at++) {
    const made = next;
    next = ask(at);
    await made;
  }
  expect(entries(store)).toBe(0);
  await next;
});

describe('an index whose server is killed', () => {
  const crashed = (store: MemoryStore) =>
    open({ store: createMemoryStore(new Map(store.content)) });
  const bySThenN = query('c', {
    where: where('s', 'EQUAL', str('y')),
    orderBy: [orderBy('n')],
  });

  it('before it is begun leaves no entries to the next one', async () => {
    const { database, store } = await open();
    await fill(database, 300);
    const others = ['n', 's'].map((field) => query('c', { orderBy: [orderBy(field)] }));
    const made = others.map((each) => database.prepare(admin, each));
    await database.commit(admin, writes(setWrite('c/0', { n: int(9), s: str('y') })));
    const { database: again } = await crashed(store);
    for (const each of made) await each;
    await again.prepare(admin, bySThenN);
    expect(idsOf(again, bySThenN)).toEqual(['c/0']);
    expect(countOf(again, bySThenN)).toBe(1);
  });

  it('while it is evicted is not used again without the changes since', async () => {
    const { database, store } = await open();
    await fill(database, 300);
    await database.prepare(admin, byN);
    for (let at = 0; at < 31; at++) {
      await database.prepare(admin, query('c', { orderBy: [orderBy(`f${at}`)] }));
    }
    const made = database.prepare(admin, bySThenN);
    await database.commit(admin, []);
    await database.commit(admin, writes(setWrite('c/0', { n: int(9), s: str('y') })));
    const { database: again } = await crashed(store);
    await made;
    await again.prepare(admin, byN);
    expect(idsOf(again, byN)).toEqual(expected(again, byN));
    expect(countOf(again, byN)).toBe(300);
  });

  it('while it is evicted shares its entries with no index that is built after the restart', async () => {
    const { database, store } = await open();
    await fill(database, 1100);
    const prepareOthers = async () => {
      for (let at = 0; at < 31; at++) {
        await database.prepare(admin, query('c', { orderBy: [orderBy(`f${at}`)] }));
      }
    };
    await prepareOthers();
    await database.prepare(admin, byN);
    // The index with the highest number becomes the least recently used one.
    await prepareOthers();
    const made = database.prepare(admin, bySThenN);
    const isDropped = () =>
      [...store.content.values()].some((each) => each.includes('"isDropped":true'));
    for (let turn = 0; turn < 100 && !isDropped(); turn++) await Promise.resolve();
    const copy = createMemoryStore(new Map(store.content));
    await made;
    expect(entries(copy)).toBe(100);
    // The disk fails at the restart, so the other entries stay for the time being.
    copy.fail();
    const { database: again } = await open({ store: copy });
    copy.fail(false);
    const byS = query('c', { orderBy: [orderBy('s')] });
    await again.prepare(admin, byS);
    expect(countOf(again, byS)).toBe(1100);
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
    for (const asked of queries) {
      await database.prepare(admin, asked);
      expect(idsOf(database, asked)).toEqual(expected(database, asked));
      expect(countOf(database, asked)).toBe(expected(database, asked).length);
    }
    expect(queries.map((asked) => countOf(database, asked))).toEqual([7, 7, 2, 4, 1, 4, 3]);
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
