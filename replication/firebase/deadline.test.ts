import { expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { withDeadline } from './deadline.ts';

const never = new Promise<never>(() => undefined);

it('gives the result of work that ends in time', async () => {
  const clock = createFakeClock();
  const work = new Promise<string>((resolve) => {
    clock.after(999, () => resolve('done'));
  });
  const result = withDeadline(clock, work, 1_000);
  await clock.advance(999);
  expect(await result).toBe('done');
});

it('rejects with the error of the work', async () => {
  const failed = Promise.reject(new Error('no'));
  await expect(withDeadline(createFakeClock(), failed)).rejects.toThrow('no');
});

it('rejects with a transient time-out at the limit, and not before', async () => {
  const clock = createFakeClock();
  const outcomes: unknown[] = [];
  const late = withDeadline(clock, never, 1_000).catch((error: unknown) => outcomes.push(error));
  await clock.advance(999);
  expect(outcomes).toEqual([]);
  await clock.advance(1);
  await late;
  expect(outcomes).toMatchObject([{ kind: 'transient', code: 'timeout' }]);
});

it('has a limit that is longer than the server’s own 15 s', async () => {
  const clock = createFakeClock();
  const outcomes: unknown[] = [];
  const late = withDeadline(clock, never).catch((error: unknown) => outcomes.push(error));
  await clock.advance(15_000);
  expect(outcomes).toEqual([]);
  await clock.advance(45_000);
  await late;
  expect(outcomes).toHaveLength(1);
});

it('leaves no timer behind', async () => {
  const cancelled: number[] = [];
  const clock = {
    after: (delayMs: number) => () => {
      cancelled.push(delayMs);
    },
  };
  await withDeadline(clock, Promise.resolve(), 7);
  await expect(withDeadline(clock, Promise.reject(new Error('no')), 8)).rejects.toThrow('no');
  expect(cancelled).toEqual([7, 8]);
});
