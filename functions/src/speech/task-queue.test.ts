import { expect, it } from 'vitest';
import { createTaskQueue } from './task-queue.ts';

it('each waits for those before it, whatever became of them', async () => {
  const enqueue = createTaskQueue(1);
  const { signal } = new AbortController();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(`${name} ends`);
    if (name === 'a') throw new Error('a failed');
    return name;
  };
  const turns = ['a', 'b', 'c'].map((name) => enqueue(signal, work(name)).catch(String));
  expect(await Promise.all(turns)).toEqual(['Error: a failed', 'b', 'c']);
  expect(events).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it('at most as many run as its width, in the order of the calls', async () => {
  const enqueue = createTaskQueue(2);
  const { signal } = new AbortController();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const turns = ['a', 'b', 'c', 'd'].map((name) => enqueue(signal, work(name)));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  ends[1]?.();
  await turns[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  ends[0]?.();
  ends[2]?.();
  await Promise.all([turns[0], turns[2]]);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  ends[3]?.();
  await turns[3];
});

it('a task that is aborted while it waits never begins, and rejects at once', async () => {
  const enqueue = createTaskQueue(1);
  const { signal } = new AbortController();
  let end: (value: string) => void = () => undefined;
  const first = enqueue(signal, () => new Promise<string>((resolve) => (end = resolve)));
  const leaving = new AbortController();
  let hasBegun = false;
  const second = enqueue(leaving.signal, async () => (hasBegun = true)).catch(String);
  leaving.abort(new Error('gone'));
  expect(await second).toBe('Error: gone');
  end('first');
  expect(await first).toBe('first');
  expect(await enqueue(signal, async () => 'third')).toBe('third');
  expect(hasBegun).toBe(false);
});
