import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns, fuzzSeed, suiteSeed } from '../../support/fuzz-runs.ts';
import { crowdedHistories, histories, type History } from './history.ts';
import { runHistory } from './history-runner.ts';
import { mutants } from './mutants.ts';

const historiesPerRun = 1_200;
const crowdedPerRun = 300;
/** Many times the number of histories that any mutant needs. */
const historiesPerMutant = 4_000;

/**
 * A history in which two engines of one device run without a lock: one pushes its documents again while the other pulls
 * their former state.
 */
const pulledWhilePushed: History = {
  seed: 1_437_913_643,
  clocks: [0, 0],
  legacyPets: 1,
  losses: false,
  happenings: [
    { kind: 'sync', device: 0, tab: 0 },
    { kind: 'crash', device: 0, tab: 0 },
    { kind: 'sync', device: 0, tab: 1 },
    { kind: 'crash', device: 0, tab: 1 },
    { kind: 'steps', count: 1 },
    { kind: 'fullSync', device: 0 },
    { kind: 'steps', count: 1 },
    { kind: 'addPet', device: 0 },
    { kind: 'sync', device: 1, tab: 0 },
    { kind: 'steps', count: 9 },
    { kind: 'addPet', device: 0 },
    { kind: 'addPet', device: 0 },
    { kind: 'sync', device: 1, tab: 1 },
  ],
};

describe('histories of several devices', () => {
  it(
    'D1.2 end with nothing lost, doubled, diverged, revived or stuck',
    { timeout: 180_000 * fuzzRuns },
    async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          expect(await runHistory(history)).toEqual([]);
        }),
        { numRuns: historiesPerRun * fuzzRuns, ...fuzzSeed },
      );
    },
  );

  it('D2.9 end the same when two engines of a device sync at once', async () => {
    await fc.assert(
      fc.asyncProperty(crowdedHistories, async (history) => {
        expect(await runHistory(history)).toEqual([]);
      }),
      { numRuns: crowdedPerRun * fuzzRuns, ...fuzzSeed },
    );
  });

  it('D2.9 end with the documents that a device pushed while its other engine pulled', async () => {
    expect(await runHistory(pulledWhilePushed)).toEqual([]);
  });

  it.each(Object.entries(mutants))(
    'D1.3 catch a mistake: %s',
    { timeout: 180_000 },
    async (_name, mutation) => {
      const details = await fc.check(
        fc.asyncProperty(
          mutation.isOfCrowds === true ? crowdedHistories : histories,
          async (history) => (await runHistory(history, mutation)).length === 0,
        ),
        // The seed is fixed, so that catching a mutant does not depend on chance.
        { numRuns: historiesPerMutant, seed: suiteSeed, endOnFailure: true },
      );
      expect(details.failed).toBe(true);
    },
  );
});
