/** `PAWPALS_FUZZ_RUNS` multiplies the number of histories, for a long run. */
export const fuzzRuns = Number(process.env['PAWPALS_FUZZ_RUNS'] ?? '1');

/** The seed of everything in the suite that is random and has to be the same in each run. */
export const suiteSeed = 20_261;

/**
 * The suite plays the same histories in each run, so that a failure is caused by a change and not by chance; a long run
 * plays new ones.
 */
export const fuzzSeed: { readonly seed?: number } = fuzzRuns === 1 ? { seed: suiteSeed } : {};
