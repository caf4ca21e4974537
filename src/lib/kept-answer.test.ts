import { expect, it, vi } from 'vitest';
import { keptAnswer } from './kept-answer.ts';

function setUp() {
  let nowMs = 0;
  const ask = vi.fn<() => Promise<number>>(async () => nowMs);
  const get = keptAnswer(ask, { keepMs: 60_000, now: () => nowMs });
  return { ask, get, pass: (ms: number) => (nowMs += ms) };
}

it('is asked for once within its time, and anew after it', async () => {
  const { ask, get, pass } = setUp();
  expect(await Promise.all([get(), get()])).toEqual([0, 0]);
  pass(59_999);
  expect(await get()).toBe(0);
  pass(1);
  expect(await get()).toBe(60_000);
  expect(ask).toHaveBeenCalledTimes(2);
});

it('is not kept if it failed', async () => {
  const { ask, get } = setUp();
  ask.mockRejectedValueOnce(new Error('offline'));
  await expect(get()).rejects.toThrow('offline');
  expect(await get()).toBe(0);
});
