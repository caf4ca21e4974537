import { createRandom } from '../../backend/tests/fuzz/random.ts';

/** Returns `count` different items, each set of them as likely as another. */
export function randomSample<T>(items: readonly T[], count: number, seed: number): T[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, rank: random.below(2 ** 32) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ item }) => item);
}
