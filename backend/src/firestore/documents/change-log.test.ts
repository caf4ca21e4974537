import { describe, expect, it } from 'vitest';
import { query } from '../../../tests/support/firestore-json.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { databaseNames } from '../../../tests/support/test-database.ts';
import { createChangeLog, type ChangeLog, type Commit } from './change-log.ts';

const dayMs = 24 * 3_600_000;
const limits = { maxChanges: 10, maxBytes: 10_000, maxAgeMs: dayMs };
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
    get: () => null,
    nowMs,
    limits: limits,
  });
  const evict = () => store.write(log.evictions());
  const append = async (each: Commit) => {
    await store.write(log.operations(each));
    await evict();
  };
  return { clock, store, log, append, evict };
}

/** Returns the versions of the commits that are left, taken from the paths of their changes. */
const versions = (log: ChangeLog, version: number) => [
  ...new Set(log.since(inC, version).changes.map(({ path }) => Number(path.split(/[/-]/)[1]))),
];

describe('the change log', () => {
  it('answers the commits after a version, oldest first', async () => {
    const { log, append } = setUp();
    for (const version of [11, 12, 13]) await append(commit(version));
    expect(versions(log, 11)).toEqual([12, 13]);
    expect(versions(log, 13)).toEqual([]);
    expect(log.since(inC, 10)).toMatchObject({ isComplete: true, changes: { length: 3 } });
  });

  it('answers what is in the scope of the query only', async () => {
    const { log, append } = setUp();
    const paths = ['c/a', 'd/a', 'p/a/c/a'];
    const changes = paths.map((path) => ({ path, before: null, after: null }));
    await append({ version: 1, writer: 'alice', changes });
    expect(log.since(inC, 0).changes).toEqual([
      { path: 'c/a', before: null, after: null, formers: [], writers: new Set(['alice']) },
    ]);
  });

  it('evicts the oldest commits above the number of changes', async () => {
    const { log, append } = setUp();
    for (let version = 1; version <= 12; version++) await append(commit(version));
    expect(log.since(inC, 1).isComplete).toBe(false);
    expect(log.since(inC, 2).isComplete).toBe(true);
    expect(versions(log, 0)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('keeps the order of commits over many evictions, and nothing of what it evicted', async () => {
    const { log, append, store } = setUp();
    for (let version = 1; version <= 1000; version++) await append(commit(version));
    expect(versions(log, 995)).toEqual([996, 997, 998, 999, 1000]);
    expect(versions(log, 0).length).toBe(10);
    expect(store.content.size).toBeLessThan(25);
  });

  it('evicts the oldest commits above the size of the former documents', async () => {
    const { log, append } = setUp();
    for (const version of [1, 2, 3]) await append(commit(version, 1, 4000));
    expect(versions(log, 0)).toEqual([2, 3]);
  });

  it('evicts a commit that is larger than the log', async () => {
    const { log, append } = setUp();
    await append(commit(1, 50));
    expect(log.since(inC, 0).isComplete).toBe(false);
    expect(log.since(inC, 1)).toEqual({ isComplete: true, changes: [] });
  });

  it('evicts commits that are too old', async () => {
    const { log, clock, append, evict } = setUp();
    await append(commit(1000));
    clock.nowMs = dayMs + 2;
    await append(commit(2000));
    expect(versions(log, 0)).toEqual([2000]);
    clock.nowMs = dayMs + 3;
    await evict();
    expect(versions(log, 0)).toEqual([]);
    expect(log.since(inC, 1999).isComplete).toBe(false);
  });
});
