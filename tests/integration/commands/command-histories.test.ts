import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHistories } from './command-history.ts';
import { openCommandStage, runCommandHistory, type CommandStage } from './command-runner.ts';

/** Multiplies the number of histories, for a long run. */
const runs = Number(process.env['PAWPALS_FUZZ_RUNS'] ?? '1');
const historiesPerRun = 20;

describe('histories of commands on two devices, with crashes, bad links and the deployed rules', () => {
  let stage: CommandStage;

  beforeAll(async () => {
    stage = await openCommandStage();
  });

  afterAll(() => stage.dispose());

  it(
    'end with nothing lost, orphaned, refused or waiting',
    { timeout: 300_000 * runs },
    async () => {
      await fc.assert(
        fc.asyncProperty(commandHistories, async (history) => {
          expect(await runCommandHistory(stage, history)).toEqual([]);
        }),
        {
          numRuns: historiesPerRun * runs,
          endOnFailure: true,
          ...(process.env.SEED
            ? { seed: Number(process.env.SEED), path: process.env.FPATH ?? '0' }
            : {}),
        },
      );
    },
  );
});
