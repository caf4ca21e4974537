export interface SeededRandom {
  /** Returns a number of at least 0 and below 1. */
  next(): number;
  /** Returns an integer of at least 0 and below the bound. */
  below(bound: number): number;
  chance(probability: number): boolean;
}

/** Creates a mulberry32 generator, which is small and yields the same sequence on every machine. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
  };
}
