import { afterEach, expect, it, vi } from 'vitest';
import { nextTask } from './next-task.ts';

afterEach(() => vi.unstubAllGlobals());

it('continues after all pending microtasks', async () => {
  const order: string[] = [];
  const later = nextTask().then(() => order.push('next task'));
  await Promise.resolve().then(() => order.push('microtask'));
  await later;
  expect(order).toEqual(['microtask', 'next task']);
});

it('lets the browser say when, where it can', async () => {
  const wait = vi.fn<() => Promise<void>>(async () => undefined);
  vi.stubGlobal('scheduler', { yield: wait });
  await nextTask();
  expect(wait).toHaveBeenCalledOnce();
});
