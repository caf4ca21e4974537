import { describe, expect, it } from 'vitest';
import { RemoteError } from '../../ports.ts';
import { createPagePace } from './page-pace.ts';

function createRig(most = 500) {
  let nowMs = 0;
  const pace = createPagePace({ now: () => nowMs, first: 100, most });
  /** Requests a page that takes that long. */
  const take = async (tookMs: number, isFull = true): Promise<number> => {
    await pace.timed(
      async () => void (nowMs += tookMs),
      () => isFull,
    );
    return pace.size();
  };
  const fail = async (tookMs: number, error = new Error('timeout')): Promise<number> => {
    const failing = pace.timed(
      async () => {
        nowMs += tookMs;
        throw error;
      },
      () => true,
    );
    await expect(failing).rejects.toBe(error);
    return pace.size();
  };
  return { pace, take, fail };
}

describe('the size of a page', () => {
  it('D3.14 grows while pages are full and fast, up to the most', async () => {
    const { pace, take } = createRig();
    expect(pace.size()).toBe(100);
    expect([await take(100), await take(100), await take(100)]).toEqual([200, 400, 500]);
    expect(createRig(3).pace.size()).toBe(3);
  });

  it('D3.14 stays as it is after a page that says nothing of the link', async () => {
    const { take } = createRig();
    expect(await take(100, false)).toBe(100);
    expect(await take(5_000)).toBe(100);
  });

  it('D3.14 shrinks on a slow link, to one document if need be, and grows again', async () => {
    const { take, fail } = createRig();
    expect(await take(10_001)).toBe(50);
    expect(await fail(20_000)).toBe(12);
    expect([await fail(20_000), await fail(20_000), await fail(20_000)]).toEqual([3, 1, 1]);
    expect([await take(100), await take(100)]).toEqual([2, 4]);
  });

  it('D3.14 does not shrink when there is no connection at all', async () => {
    const { fail } = createRig();
    expect(await fail(5)).toBe(100);
  });

  it('D3.14 shrinks when the server has no room for a page, however soon it says so', async () => {
    const { fail } = createRig();
    expect(await fail(5, new RemoteError('transient', 'resource-exhausted'))).toBe(25);
    expect(await fail(5, new RemoteError('transient', 'unavailable'))).toBe(25);
  });
});
