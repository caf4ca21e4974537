import { describe, expect, it } from 'vitest';
import { finish } from '../../limits/slices.ts';
import { query } from '../../../tests/support/firestore-json.ts';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createSliceClock } from '../../../tests/support/fakes/slice-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { databaseNames, resumption } from '../../../tests/support/test-database.ts';
import type { StoredDocument } from '../values/document.ts';
import { createChangeLog, type Commit } from './change-log.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const limits = {
  maxChanges: 10,
  maxBytes: 10_000,
  maxAgeMs: dayMs,
  maxBehindMs: hourMs,
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
  writer: 'alice',
  changes: Array.from({ length: changes }, (_, at) => {
    const path = `c/${version}-${at}`;
    return { path, before: length === 0 ? null : former(path, length), after: null };
  }),
});

function setUp(clock = createManualClock(0)) {
  const store = createMemoryStore();
  const log = createChangeLog({
    store,
    names: databaseNames,
    clock,
    limits,
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
  const since = (version: number, get: (path: string) => StoredDocument | null = () => null) => {
    let heldBytes = 0;
    const asked = {
      ...resumption(inC, version),
      hold: (bytes: number) => void (heldBytes += bytes),
    };
    return { ...finish(log.since({ source: store, get }, asked)), heldBytes };
  };
  /** Returns the versions of the commits that are left, taken from the paths of their changes. */
  const versions = (version: number) => [
    ...new Set([...since(version).changes.keys()].map((path) => Number(path.split(/[/-]/)[1]))),
  ];
  return { clock, store, log, append, evict, since, versions };
}

describe('the change log', () => {
  it('answers the commits after a version, oldest first', async () => {
    const { append, since, versions } = setUp();
    for (const version of [11, 12, 13]) await append(commit(version));
    expect(versions(11)).toEqual([12, 13]);
    expect(versions(13)).toEqual([]);
    expect(versions(10)).toEqual([11, 12, 13]);
    expect(since(10).isComplete).toBe(true);
  });

  it('answers what is in the scope of the query only', async () => {
    const { append, since } = setUp();
    const paths = ['c/a', 'd/a', 'p/a/c/a'];
    const changes = paths.map((path) => ({ path, before: null, after: null }));
    await append({ version: 1, writer: 'alice', changes });
    expect(since(0).changes).toEqual(
      new Map([['c/a', { isIn: false, hasBeenIn: false, isOwn: true }]]),
    );
  });

  it('tells whether a document matches, and whether it did', async () => {
    const { store, log, append } = setUp();
    const changes = ['c/a', 'c/b', 'c/other'].map((path) => ({
      path,
      before: former(path, path === 'c/a' ? 1 : 2),
      after: null,
    }));
    await append({ version: 1, writer: null, changes });
    const equal = {
      fieldFilter: { field: { fieldPath: 's' }, op: 'EQUAL', value: { stringValue: 'x' } },
    };
    const get = (path: string) => former(path, path === 'c/b' ? 1 : 2);
    const asked = resumption(query('c', { where: equal }), 0);
    expect(finish(log.since({ source: store, get }, asked))).toEqual({
      changes: new Map([
        ['c/a', { isIn: false, hasBeenIn: true, isOwn: false }],
        ['c/b', { isIn: true, hasBeenIn: false, isOwn: false }],
      ]),
      grown: 0,
      isComplete: true,
    });
  });

  const longPath = (id: string, length: number) => `c/${id}${'x'.repeat(length)}`;
  const written = (version: number, writer: string, paths: readonly string[]): Commit => ({
    version,
    writer,
    changes: paths.map((path) => ({ path, before: null, after: null })),
  });

  it('holds no document, and a path once', async () => {
    const { append, since } = setUp();
    for (const version of [1, 2, 3]) await append(written(version, 'bob', ['c/same']));
    const { changes, heldBytes, isComplete } = since(0, (path) => former(path, 1_000_000));
    expect([[...changes.keys()], isComplete]).toEqual([['c/same'], true]);
    expect(heldBytes).toBeLessThan(200);
  });

  it('holds no more paths than there is room for', async () => {
    const { append, since } = setUp();
    const named = (version: number, length: number) => {
      const { changes, heldBytes, isComplete } = since(version, (path) => former(path, 1));
      expect(heldBytes).toBeLessThan(limits.maxHeldBytes + 3 * length);
      return [changes.size, isComplete];
    };
    await append(
      written(
        1,
        'bob',
        [1, 2, 3].map((id) => longPath(`${id}`, 4000)),
      ),
    );
    expect(named(0, 4000)).toEqual([3, true]);
    await append(
      written(
        2,
        'bob',
        [1, 2, 3, 4, 5].map((id) => longPath(`${id}`, 5000)),
      ),
    );
    expect(named(1, 5000)).toEqual([3, false]);
  });

  it('holds little of what others wrote and the query never had, and reads it once', async () => {
    const { append, since } = setUp();
    const paths = [1, 2, 3, 4, 5].map((id) => longPath(`${id}`, 5000));
    for (const version of [1, 2]) await append(written(version, 'bob', paths));
    const read: string[] = [];
    const { changes, heldBytes, isComplete } = since(0, (path) => {
      read.push(path);
      return null;
    });
    expect([changes.size, isComplete, read]).toEqual([0, true, paths]);
    expect(heldBytes).toBeLessThan(5 * 300);
  });

  it('still names what the listener wrote and does not match, where the rest is too large to hold', async () => {
    const { append, since } = setUp();
    const paths = ['gone1', '2', '3', '4', 'gone5'].map((id) => longPath(id, 14_000));
    await append(written(1, 'alice', paths));
    const get = (path: string) => (path.includes('gone') ? null : former(path, 1));
    const { changes, isComplete } = since(0, get);
    expect(isComplete).toBe(false);
    expect([...changes.keys()].filter((path) => path.includes('gone'))).toEqual([
      paths[0],
      paths[4],
    ]);
    expect(changes.size).toBe(3);
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
    expect(since(1)).toMatchObject({ isComplete: true, changes: new Map() });
  });

  it('evicts commits that are too old', async () => {
    const { clock, append, evict, since, versions } = setUp();
    await append(commit(1000));
    clock.advance(dayMs + 2);
    await append(commit(2000));
    expect(versions(0)).toEqual([2000]);
    clock.advance(dayMs);
    await evict();
    expect(versions(0)).toEqual([2000]);
    clock.advance(1);
    await evict();
    expect(versions(0)).toEqual([]);
    expect(since(1999).isComplete).toBe(false);
  });

  it('evicts a commit a day after it, although its version is of a clock that was ahead', async () => {
    const { clock, store, append, evict, since, versions } = setUp();
    const yearMs = 365 * dayMs;
    clock.advance(yearMs);
    await append(commit(yearMs * 1000));
    clock.set(0);
    await append(commit(yearMs * 1000 + 1));
    expect(versions(0)).toEqual([yearMs * 1000 + 1]);
    expect(since(yearMs * 1000).isComplete).toBe(true);
    expect(since(yearMs * 1000 - 1).isComplete).toBe(false);
    clock.advance(dayMs + 1);
    await evict();
    expect([...store.content.keys()]).toEqual(['fs/floor']);
  });

  it('keeps commits of a later day for an hour of the process, in which its clock is corrected', async () => {
    const { clock, append, evict, versions } = setUp();
    clock.set(2 * dayMs);
    await append(commit(1000));
    clock.set(0);
    await evict();
    clock.advance(hourMs - 1);
    await evict();
    expect(versions(0)).toEqual([1000]);
    clock.advance(1);
    await evict();
    expect(versions(0)).toEqual([]);
  });

  it('takes the age of a commit of an older version of the server from the version of the commit', async () => {
    const { clock, store, log, evict, versions } = setUp();
    const [first, second] = [dayMs * 1000, (dayMs + 2) * 1000];
    for (const version of [first, second]) {
      const operations = [...log.operations(commit(version))].map((each) =>
        each.type === 'put' ? { ...each, value: each.value.replace('"atMs":0,', '') } : each,
      );
      await store.write(operations);
    }
    expect(JSON.stringify([...store.content.values()])).not.toContain('atMs');
    clock.advance(2 * dayMs + 1);
    await evict();
    expect(versions(0)).toEqual([second]);
  });

  it('evicts a part of many commits, and tells that more are left', async () => {
    const { clock, store, log, evict, versions } = setUp();
    for (const version of [1, 2, 3, 4]) await store.write([...log.operations(commit(version, 10))]);
    clock.advance(2 * dayMs);
    expect(await evict()).toBe(true);
    expect(versions(0)).toEqual([3, 4]);
    expect(await evict()).toBe(false);
    expect(versions(0)).toEqual([]);
    expect([...store.content.keys()]).toEqual(['fs/floor']);
  });

  it('is read in slices', async () => {
    const { log, store } = setUp(createSliceClock(192));
    await store.write([...log.operations(commit(1, 500))]);
    const steps = log.since({ source: store, get: () => null }, resumption(inC, 0));
    let slices = 1;
    while (steps.next().done !== true) slices++;
    expect(slices).toBe(3);
  });
});
