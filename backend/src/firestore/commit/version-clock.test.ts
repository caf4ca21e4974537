import { describe, expect, it } from 'vitest';
import { createVersionClock } from './version-clock.ts';

function commit(versions: ReturnType<typeof createVersionClock>): number {
  const version = versions.peekCommit();
  versions.nextCommit(version);
  return version;
}

describe('the version clock', () => {
  it('follows the wall clock in microseconds', () => {
    expect(createVersionClock(0, () => 5).read()).toBe(5000);
  });

  it('keeps rising when the wall clock stands still or steps back', () => {
    let nowMs = 1000;
    const versions = createVersionClock(0, () => nowMs);
    const first = versions.read();
    const second = versions.read();
    nowMs = 500;
    const third = commit(versions);
    expect([second - first, third - second]).toEqual([1, 1]);
  });

  it('starts after the last stored version even when the wall clock is behind it', () => {
    expect(createVersionClock(9_000_000, () => 1).read()).toBe(9_000_001);
  });

  it('reads stay below a commit that is not yet visible, and follow it once it is', () => {
    let nowMs = 1000;
    const versions = createVersionClock(0, () => nowMs);
    const before = versions.read();
    const version = commit(versions);
    nowMs = 2000;
    expect(versions.read()).toBe(before);
    versions.publish(version);
    expect(versions.read()).toBe(2_000_000);
  });

  it('with several commits on their way reads follow the last visible one', () => {
    const versions = createVersionClock(0, () => 1000);
    const first = commit(versions);
    const second = commit(versions);
    versions.publish(first);
    expect(versions.read()).toBe(first);
    versions.publish(second);
    expect(versions.read()).toBe(second + 1);
  });
});
