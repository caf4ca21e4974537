import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../support/fuzz-runs.ts';
import { actionKinds } from './command-actions.ts';
import {
  commandHistories,
  everyAction,
  restoredHistories,
  type CommandHistory,
} from './command-history.ts';
import { foundHistories } from './found-histories.ts';
import { openCommandStage, runCommandHistory, type CommandStage } from './command-runner.ts';

describe('histories of commands on up to three devices, with crashes, bad links and the deployed rules', () => {
  let stage: CommandStage;

  beforeAll(async () => {
    stage = await openCommandStage();
  });

  afterAll(() => stage.dispose());

  /** @returns the failure of a history and how to replay it; null if all histories passed. */
  const findFailure = async (
    histories: fc.Arbitrary<CommandHistory>,
    numRuns: number,
  ): Promise<string | null> => {
    const property = fc.asyncProperty(histories, async (history) => {
      expect(await runCommandHistory(stage, history)).toEqual([]);
    });
    // A history takes a second, and shrinking it hundreds. Biased, the first histories would have little variety.
    const how = { endOnFailure: true, unbiased: true, ...fuzzSeed };
    const details = await fc.check(property, { numRuns, ...how });
    return fc.defaultReportMessage(details) ?? null;
  };

  it('end with nothing lost when every action is carried out', { timeout: 300_000 }, async () => {
    expect(await runCommandHistory(stage, everyAction)).toEqual([]);
    const { carriedOut } = stage;
    expect(actionKinds.filter((kind) => !carriedOut.has(kind))).toEqual([]);
  });

  it.each(foundHistories)(
    'end with nothing lost where something once was: %s',
    async (_, happenings) => {
      expect(await runCommandHistory(stage, { seed: 1, happenings })).toEqual([]);
    },
    120_000,
  );

  it(
    'end with nothing lost, orphaned, refused or pending',
    { timeout: 300_000 * fuzzRuns },
    async () => {
      expect(await findFailure(commandHistories, 8 * fuzzRuns)).toBeNull();
    },
  );

  it(
    'end the same when the server was restored without most of a journal of more than 500 notes',
    { timeout: 300_000 * fuzzRuns },
    async () => {
      expect(await findFailure(restoredHistories, fuzzRuns)).toBeNull();
    },
  );
});
