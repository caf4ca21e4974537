import { describe, expect, it } from 'vitest';
import { NAMES } from '../../../tests/support/test-database.ts';
import { createChangeLog, type ChangeLog, type Commit } from './change-log.ts';

const DAY_MS = 24 * 3_600_000;
const LIMITS = { maxChanges: 10, maxBytes: 10_000, maxAgeMs: DAY_MS };

const former = (path: string, length: number) => ({
  path,
  name: NAMES.toName(path),
  fields: new Map([['s', { kind: 'string', value: 'x'.repeat(length) } as const]]),
  createVersion: 1,
  updateVersion: 1,
});

const commit = (version: number, changes = 1, length = 0): Commit => ({
  version,
  writer: null,
  changes: Array.from({ length: changes }, (_, at) => {
    const path = `c/${version}-${at}`;
    return { path, before: length === 0 ? null : former(path, length), after: null };
  }),
});

function setUp({ floor = 0, commits = [] as readonly Commit[] } = {}) {
  const clock = { nowMs: 0 };
  const log = createChangeLog({ floor, commits, nowMs: () => clock.nowMs, limits: LIMITS });
  return { clock, log };
}

const versions = (log: ChangeLog, version: number) =>
  log.since(version).commits.map((each) => each.version);

describe('the change log', () => {
  it('answers the commits after a version, oldest first', () => {
    const { log } = setUp({ floor: 10, commits: [commit(11)] });
    for (const version of [12, 13]) log.append(commit(version));
    expect(versions(log, 11)).toEqual([12, 13]);
    expect(versions(log, 13)).toEqual([]);
    expect(log.since(10)).toMatchObject({ isComplete: true, commits: { length: 3 } });
  });

  it('says that it does not reach back to a version before its floor', () => {
    const { log } = setUp({ floor: 10, commits: [commit(11)] });
    expect(log.since(9)).toMatchObject({ isComplete: false, commits: { length: 1 } });
  });

  it('evicts the oldest commits above the number of changes, and names them once', () => {
    const { log } = setUp();
    for (let version = 1; version <= 12; version++) log.append(commit(version));
    expect(log.since(1).isComplete).toBe(false);
    expect(log.since(2).isComplete).toBe(true);
    expect(versions(log, 0)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(log.takeEvicted()).toEqual({ versions: [1, 2], floor: 2 });
    expect(log.takeEvicted()).toBeUndefined();
  });

  it('keeps the order of commits over many evictions', () => {
    const { log } = setUp();
    for (let version = 1; version <= 1000; version++) log.append(commit(version));
    expect(versions(log, 995)).toEqual([996, 997, 998, 999, 1000]);
    expect(versions(log, 0).length).toBe(10);
  });

  it('evicts the oldest commits above the size of the former documents', () => {
    const { log } = setUp();
    for (const version of [1, 2, 3]) log.append(commit(version, 1, 4000));
    expect(versions(log, 0)).toEqual([2, 3]);
  });

  it('evicts a commit that is larger than the log', () => {
    const { log } = setUp();
    log.append(commit(1, 50));
    expect(log.since(0).isComplete).toBe(false);
    expect(log.since(1)).toEqual({ isComplete: true, commits: [] });
  });

  it('evicts commits that are too old, at each commit and when told so', () => {
    const { log, clock } = setUp();
    log.append(commit(1000));
    clock.nowMs = DAY_MS + 2;
    log.append(commit(2000));
    expect(versions(log, 0)).toEqual([2000]);
    clock.nowMs = DAY_MS + 3;
    log.evict();
    expect(versions(log, 0)).toEqual([]);
    expect(log.takeEvicted()).toEqual({ versions: [1000, 2000], floor: 2000 });
  });
});
