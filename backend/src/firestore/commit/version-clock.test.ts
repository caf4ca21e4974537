import { describe, expect, it } from 'vitest';
import { createVersionClock } from './version-clock.ts';

function commit(versions: ReturnType<typeof createVersionClock>): number {
  const version = versions.peekCommit();
  versions.nextCommit(version);
  return version;
}

describe('the version clock', () => {
  it('follows the wall clock in microseconds', () => {
    expect(createVersionClock(0, () => 5).peekCommit()).toBe(5000);
  });

  it('keeps rising when the wall clock stands still or steps back', () => {
    let nowMs = 1000;
    const versions = createVersionClock(0, () => nowMs);
    const first = commit(versions);
    const second = commit(versions);
    nowMs = 500;
    const third = commit(versions);
    expect([second - first, third - second]).toEqual([1, 1]);
  });

  it('starts after the last stored version even when the wall clock is behind it', () => {
    const versions = createVersionClock(9_000_000, () => 1);
    expect([versions.read(), versions.peekCommit()]).toEqual([9_000_000, 9_000_001]);
  });

  it('reads follow the last visible commit', () => {
    const versions = createVersionClock(0, () => 1000);
    const first = commit(versions);
    const second = commit(versions);
    expect(versions.read()).toBe(0);
    versions.publish(first);
    expect(versions.read()).toBe(first);
    versions.publish(second);
    expect(versions.read()).toBe(second);
  });
});
