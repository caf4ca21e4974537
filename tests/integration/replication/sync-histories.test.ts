import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { histories } from './history.ts';
import { runHistory } from './history-runner.ts';

/** Multiplies the number of histories, for a long run. */
const runs = Number(process.env['PAWPALS_FUZZ_RUNS'] ?? '1');
const historiesPerRun = 400;

describe('histories of several devices', () => {
  it(
    'end with nothing lost, doubled, diverged, revived or stuck',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          expect(await runHistory(history)).toEqual([]);
        }),
        { numRuns: historiesPerRun * runs },
      );
    },
    60_000 * runs,
  );
});
