import { expect, it } from 'vitest';
import { createSerialQueue } from './serial-queue.ts';

it('each waits for those before it, whatever became of them', async () => {
  const enqueue = createSerialQueue();
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

it('a task that is aborted while it waits never begins, and rejects at once', async () => {
  const enqueue = createSerialQueue();
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
