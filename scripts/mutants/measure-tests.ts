import type { Lane } from './try-mutant.ts';

const tenMinutesMs = 600_000;

/**
 * Runs tests without a mutant, half of them in each lane, and returns how long each file takes. A test that fails here
 * would catch every mutant, so it ends the run.
 */
export async function measureTests(
  tests: readonly string[],
  lanes: readonly Lane[],
): Promise<Record<string, number>> {
  const answers = await Promise.all(
    lanes.map(({ process }, lane) => {
      const own = tests.filter((_, index) => index % lanes.length === lane);
      return process.run({ changed: [], tests: own }, tenMinutesMs);
    }),
  );
  for (const answer of answers) {
    if (answer === null) throw new Error('The tests take more than ten minutes.');
    if (answer.failure !== null) throw new Error(`Fails without a mutant: ${answer.failure}`);
  }
  return Object.assign({}, ...answers.map((answer) => answer?.durationsMs));
}
