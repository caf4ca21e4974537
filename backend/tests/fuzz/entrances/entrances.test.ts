import { expect, it, vi } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { runFuzz } from './fuzz-run.ts';

/**
 * `PAWPALS_FUZZ_SECONDS=600 npx vitest run --project system backend/tests/fuzz/entrances` runs longer, with a random seed
 * unless `PAWPALS_FUZZ_SEED` sets one. `PAWPALS_FUZZ_ONLY=queries,rules` plays fewer entrances.
 */
const {
  PAWPALS_FUZZ_SECONDS: seconds,
  PAWPALS_FUZZ_SEED: seed,
  PAWPALS_FUZZ_ONLY: only,
} = process.env;
const runSeconds = Number(seconds ?? 30);
const runSeed = Number(seed ?? (seconds === undefined ? 1 : Date.now() % 1_000_000));

vi.setConfig({ testTimeout: runSeconds * 1000 + 120_000 });

it(`random input to every entrance for ${runSeconds} s, seed ${runSeed}, harms neither the server nor a neighbour`, async ({
  annotate,
}) => {
  const run = {
    seconds: runSeconds,
    seed: runSeed,
    ...(only === undefined ? {} : { only: only.split(',') }),
  };
  const { failures, summary, inputs } = await runFuzz(await tempFolder(), run);
  await annotate(summary);
  expect(failures).toBe('');
  expect(inputs).toBeGreaterThan(runSeconds * 10);
});
