import { expect, it } from 'vitest';
import { cell } from '../../tests/support/fake-data.ts';
import { firstValue } from './first-value.ts';
import type { Live } from './live.ts';

it('is there at once if it was read before', async () => {
  expect(await firstValue(cell(7))).toBe(7);
});

it('comes with the first answer, and stops watching', async () => {
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
