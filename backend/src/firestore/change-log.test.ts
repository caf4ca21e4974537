import { describe, expect, it } from 'vitest';
import { createChangeLog } from './change-log.ts';

const commit = (version: number, changes = 1) => ({
  version,
  changes: Array.from({ length: changes }, (_, at) => ({
    path: `c/${version}-${at}`,
    before: null,
    after: null,
  })),
});

describe('the change log', () => {
  it('answers the commits after a version, oldest first', () => {
    const log = createChangeLog(10);
    for (const version of [11, 12, 13]) log.append(commit(version));
    expect(log.since(11)?.map((each) => each.version)).toEqual([12, 13]);
    expect(log.since(13)).toEqual([]);
    expect(log.since(10)?.length).toBe(3);
  });

  it('knows nothing from before it began', () => {
    expect(createChangeLog(10).since(9)).toBeUndefined();
    expect(createChangeLog(10).since(10)).toEqual([]);
  });

  it('forgets the oldest commits when it is full, and says so', () => {
    const log = createChangeLog(0, 10);
    for (let version = 1; version <= 11; version++) log.append(commit(version));
    expect(log.since(0)).toBeUndefined();
    expect(log.since(5)).toBeUndefined();
    expect(log.since(6)?.map((each) => each.version)).toEqual([7, 8, 9, 10, 11]);
  });

  it('survives one commit larger than itself', () => {
    const log = createChangeLog(0, 10);
    log.append(commit(1, 50));
    expect(log.since(0)).toBeUndefined();
    expect(log.since(1)).toEqual([]);
  });
});
