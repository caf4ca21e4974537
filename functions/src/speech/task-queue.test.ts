import { expect, it, vi } from 'vitest';
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
  const turns = ['a', 'b', 'c'].map((name) =>
    enqueue({ key: 'one', signal }, work(name)).catch(String),
  );
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
  const turns = ['a', 'b', 'c', 'd'].map((name) => enqueue({ key: name, signal }, work(name)));
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
  const first = enqueue(
    { key: 'one', signal },
    () => new Promise<string>((resolve) => (end = resolve)),
  );
  const leaving = new AbortController();
  let hasBegun = false;
  const second = enqueue(
    { key: 'one', signal: leaving.signal },
    async () => (hasBegun = true),
  ).catch(String);
  leaving.abort(new Error('gone'));
  expect(await second).toBe('Error: gone');
  end('first');
  expect(await first).toBe('first');
  expect(await enqueue({ key: 'one', signal }, async () => 'third')).toBe('third');
  expect(hasBegun).toBe(false);
});

it('one key has one task at a time, and those of others do not wait for its many', async () => {
  const enqueue = createTaskQueue(2);
  const { signal } = new AbortController();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const turns = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) =>
    enqueue({ key: name.slice(0, 1), signal }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'b1']);
  for (const [at, name] of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3'].entries()) {
    await vi.waitFor(() => expect(begun[at]).toBe(name));
    ends.get(name)?.();
  }
  await Promise.all(turns);
});
