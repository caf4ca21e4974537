import { expect, it } from 'vitest';
import { cell } from '../../../tests/support/fakes/cell.ts';
import { firstValue } from './first-value.ts';
import type { Live } from './live.ts';

it('is there at once if it was read before', async () => {
  expect(await firstValue(cell(7))).toBe(7);
});

it('resolves with the first value, and unsubscribes', async () => {
  const source = cell<number | undefined>(undefined);
  let watching = 0;
  const live: Live<number | undefined> = {
    getSnapshot: source.getSnapshot,
    subscribe: (onChange) => {
      watching += 1;
      const stop = source.subscribe(onChange);
      return () => {
        watching -= 1;
        stop();
      };
    },
  };
  const value = firstValue(live);
  source.set(8);
  expect(await value).toBe(8);
  expect(watching).toBe(0);
});

it('waits for one as wanted, if told which', async () => {
  const source = cell<number>(7);
  const value = firstValue(source, (seen) => seen > 8);
  source.set(8);
  source.set(9);
  expect(await value).toBe(9);
});
