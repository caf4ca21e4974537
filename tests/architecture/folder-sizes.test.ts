import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from './repository-files.ts';

/** A folder with more source files than this is a list that nobody reads. */
const maxSourceFiles = 20;

function isSource(path: string): boolean {
  return /\.(?:tsx?|mjs|css)$/.test(path) && !/\.(?:test\.tsx?|e2e\.ts)$/.test(path);
}

/** The folders that hold too many source files, each with their number. */
function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths.filter(isSource)) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > maxSourceFiles)
    .map(([folder, count]) => `${folder} holds ${String(count)} source files`);
}

describe('the folders of the repository', () => {
  it(`hold at most ${String(maxSourceFiles)} source files each, tests aside`, () => {
    const paths = filesUnder('');
    expect(paths.filter(isSource).length).toBeGreaterThan(700);
    expect(crowdedFolders(paths)).toEqual([]);
  });

  it('are checked in earnest: a seeded folder with one file too many is reported', () => {
    const named = (folder: string, count: number, ending: string): string[] =>
      Array.from({ length: count }, (_, index) => `${folder}/file-${String(index)}${ending}`);
    const paths = [
      ...named('src/full', maxSourceFiles, '.ts'),
      ...named('src/full', 30, '.test.tsx'),
      ...named('tests/e2e', 30, '.e2e.ts'),
      ...named('src/crowded', maxSourceFiles, '.tsx'),
      'src/crowded/one-more.css',
    ];
    expect(crowdedFolders(paths)).toEqual(['src/crowded holds 21 source files']);
  });
});
