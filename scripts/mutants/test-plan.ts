import type { TestReach } from './test-reaches.ts';

/** The tests that can catch a mutant of a file, in the order in which they run. */
export interface TestPlan {
  /** The unit tests and contracts without a server. */
  readonly near: readonly string[];
  /** The contracts with servers, and the long histories, for what survives the near ones. */
  readonly wide: readonly string[];
}

/** Contracts and random histories. The other tests of the project `system` need the built app or other tools. */
const needsNoBuild = /^tests\/(contract|integration\/(commands|replication))\//;

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/'));

const isNear = ({ project }: TestReach): boolean => project === 'core';

const isWide = ({ test, project }: TestReach): boolean =>
  project === 'system' && needsNoBuild.test(test);

/** Sorts the tests first that lie beside the file, then those that need the fewest imports to reach it. */
export function testPlan(file: string, reaches: readonly TestReach[]): TestPlan {
  const distance = ({ test, distances }: TestReach): number =>
    folderOf(test) === folderOf(file) ? 0 : (distances[file] ?? 0);
  const reaching = reaches
    .filter(({ distances }) => distances[file] !== undefined)
    .toSorted((a, b) => distance(a) - distance(b));
  return {
    near: reaching.filter(isNear).map(({ test }) => test),
    wide: reaching.filter(isWide).map(({ test }) => test),
  };
}
