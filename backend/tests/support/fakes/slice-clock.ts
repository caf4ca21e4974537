import { sliceMs } from '../../../src/limits/slices.ts';
import { createManualClock } from './manual-clock.ts';

/**
 * Creates a clock on which time passes by each look at it, so that a slice has that many. The number has only the factors 2
 * and 3, which keeps sums exact.
 */
export function createSliceClock(looks: number) {
  const clock = createManualClock();
  const pass = (count: number) => clock.advance((count * sliceMs) / looks);
  return {
    ...clock,
    /** Lets the time of further looks pass. */
    pass,
    elapsedMs: () => {
      pass(1);
      return clock.elapsedMs();
    },
  };
}
