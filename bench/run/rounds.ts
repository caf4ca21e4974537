import { say } from './progress.ts';

const roundCount = 7;

/** Repeats a measurement for a median, and prints its progress. */
export async function inRounds<Result>(
  what: string,
  measure: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < roundCount; index += 1) {
    say(`${what}, round ${index + 1} of ${roundCount}`);
    results.push(await measure(index));
  }
  return results;
}
