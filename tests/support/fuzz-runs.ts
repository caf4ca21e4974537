/** `PAWPALS_FUZZ_RUNS` multiplies the number of histories, for a long run. */
export const fuzzRuns = Number(process.env['PAWPALS_FUZZ_RUNS'] ?? '1');

/** Of everything in the suite that is chosen at random and has to be the same in each run. */
export const suiteSeed = 20_261;

/** The suite plays the same histories each time, so that it speaks of a change and not of luck; a long run plays new ones. */
export const fuzzSeed: { readonly seed?: number } = fuzzRuns === 1 ? { seed: suiteSeed } : {};
