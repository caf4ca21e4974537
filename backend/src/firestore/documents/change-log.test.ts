import { describe, expect, it } from 'vitest';
import { finish } from '../../limits/slices.ts';
import { query } from '../../../tests/support/firestore-json.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { databaseNames } from '../../../tests/support/test-database.ts';
import { createChangeLog, type Commit } from './change-log.ts';

const dayMs = 24 * 3_600_000;
const limits = {
  maxChanges: 10,
  maxBytes: 10_000,
  maxAgeMs: dayMs,
  maxEvictedChanges: 20,
  maxHeldBytes: 25_000,
};
const inC = query('c', {});

const former = (path: string, length: number) => ({
  path,
  name: databaseNames.toName(path),
  fields: new Map([['s', { kind: 'string', value: 'x'.repeat(length) } as const]]),
  createVersion: 1,
  updateVersion: 1,
  owner: null,
});

const commit = (version: number, changes = 1, length = 0): Commit => ({
  version,
  writer: null,
  changes: Array.from({ length: changes }, (_, at) => {
    const path = `c/${version}-${at}`;
    return { path, before: length === 0 ? null : former(path, length), after: null };
  }),
});

function setUp() {
  const clock = { nowMs: 0 };
  const store = createMemoryStore();
  const nowMs = () => clock.nowMs;
  const log = createChangeLog({
    store,
    names: databaseNames,
    nowMs,
    limits: limits,
  });
  const evict = async () => {
    const { operations, hasMore } = log.evictions();
    await store.write(operations);
    return hasMore;
  };
  const append = async (each: Commit) => {
    await store.write([...log.operations(each)]);
    await evict();
  };
  const since = (version: number) =>
    finish(log.since({ source: store, get: () => null }, inC, version));
  /** Returns the versions of the commits that are left, taken from the paths of their changes. */
  const versions = (version: number) => [
    ...new Set(since(version).changes.map(({ path }) => Number(path.split(/[/-]/)[1]))),
  ];
  return { clock, store, log, append, evict, since, versions };
}

describe('the change log', () => {
  it('answers the commits after a version, oldest first', async () => {
    const { append, since, versions } = setUp();
    for (const version of [11, 12, 13]) await append(commit(version));
    expect(versions(11)).toEqual([12, 13]);
    expect(versions(13)).toEqual([]);
    expect(since(10)).toMatchObject({ isComplete: true, changes: { length: 3 } });
  });

  it('answers what is in the scope of the query only', async () => {
    const { append, since } = setUp();
    const paths = ['c/a', 'd/a', 'p/a/c/a'];
    const changes = paths.map((path) => ({ path, before: null, after: null }));
    await append({ version: 1, writer: 'alice', changes });
    expect(since(0).changes).toEqual([
      { path: 'c/a', before: null, after: null, formers: [], writers: new Set(['alice']) },
    ]);
  });

  it('holds no state of a document that does not match the query', async () => {
    const { store, log, append } = setUp();
    const changes = ['c/a', 'c/b'].map((path) => ({
      path,
      before: former(path, path === 'c/a' ? 1 : 2),
      after: null,
    }));
    await append({ version: 1, writer: null, changes });
    const equal = {
      fieldFilter: { field: { fieldPath: 's' }, op: 'EQUAL', value: { stringValue: 'x' } },
    };
    const get = (path: string) => former(path, path === 'c/a' ? 2 : 1);
    const since = finish(log.since({ source: store, get }, query('c', { where: equal }), 0));
    expect(since.changes).toMatchObject([
      { path: 'c/a', before: { path: 'c/a' }, after: null },
      { path: 'c/b', before: null, after: { path: 'c/b' }, formers: [] },
    ]);
  });

  it('holds a document once, and no more than there is room for', async () => {
    const { store, log, append } = setUp();
    for (const version of [1, 2, 3]) await append(commit(version));
    const since = (length: number) => {
      const get = (path: string) => former(path, length);
      return finish(log.since({ source: store, get }, inC, 0));
    };
    expect(since(8_000)).toMatchObject({ isComplete: true, changes: { length: 3 } });
    expect(since(9_000)).toEqual({ isComplete: false, changes: [] });
    const path = 'c/same';
    for (const version of [4, 5, 6]) {
      await append({ version, writer: null, changes: [{ path, before: null, after: null }] });
    }
    const get = (name: string) => (name === path ? former(name, 9_000) : null);
    expect(finish(log.since({ source: store, get }, inC, 3))).toMatchObject({ isComplete: true });
  });

  it('still names what does not match, where the rest is too large to hold', async () => {
    const { store, log, append } = setUp();
    const paths = ['1-gone', '2', '3', '4', '5-gone'].map((id) => `c/${id}`);
    const changes = paths.map((path) => ({ path, before: null, after: null }));
    await append({ version: 1, writer: 'alice', changes });
    const get = (path: string) => (path.includes('gone') ? null : former(path, 9_000));
    const { changes: named, isComplete } = finish(log.since({ source: store, get }, inC, 0));
    expect(isComplete).toBe(false);
    expect(named.map(({ path }) => path)).toEqual(['c/1-gone', 'c/5-gone']);
    expect(named.every(({ writers }) => writers.has('alice'))).toBe(true);
  });

  it('evicts the oldest commits above the number of changes', async () => {
    const { append, since, versions } = setUp();
    for (let version = 1; version <= 12; version++) await append(commit(version));
    expect(since(1).isComplete).toBe(false);
    expect(since(2).isComplete).toBe(true);
    expect(versions(0)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('keeps the order of commits over many evictions, and nothing of what it evicted', async () => {
    const { append, store, versions } = setUp();
    for (let version = 1; version <= 1000; version++) await append(commit(version));
    expect(versions(995)).toEqual([996, 997, 998, 999, 1000]);
    expect(versions(0).length).toBe(10);
    expect(store.content.size).toBeLessThan(25);
  });

  it('evicts the oldest commits above the size of the former documents', async () => {
    const { append, versions } = setUp();
    for (const version of [1, 2, 3]) await append(commit(version, 1, 4000));
    expect(versions(0)).toEqual([2, 3]);
  });

  it('evicts a commit that is larger than the log', async () => {
    const { append, since } = setUp();
    await append(commit(1, 50));
    expect(since(0).isComplete).toBe(false);
    expect(since(1)).toEqual({ isComplete: true, changes: [] });
  });

  it('evicts commits that are too old', async () => {
    const { clock, append, evict, since, versions } = setUp();
    await append(commit(1000));
    clock.nowMs = dayMs + 2;
    await append(commit(2000));
    expect(versions(0)).toEqual([2000]);
    clock.nowMs = dayMs + 3;
    await evict();
    expect(versions(0)).toEqual([]);
    expect(since(1999).isComplete).toBe(false);
  });

  it('evicts a part of many commits, and tells that more are left', async () => {
    const { clock, store, log, evict, versions } = setUp();
    for (const version of [1, 2, 3, 4]) await store.write([...log.operations(commit(version, 10))]);
    clock.nowMs = 2 * dayMs;
    expect(await evict()).toBe(true);
    expect(versions(0)).toEqual([3, 4]);
    expect(await evict()).toBe(false);
    expect(versions(0)).toEqual([]);
    expect([...store.content.keys()]).toEqual(['fs/floor']);
  });

  it('is read in slices', async () => {
    const { log, store } = setUp();
    await store.write([...log.operations(commit(1, 500))]);
    const steps = log.since({ source: store, get: () => null }, inC, 0);
    let slices = 1;
    while (steps.next().done !== true) slices++;
    expect(slices).toBe(3);
  });
});
