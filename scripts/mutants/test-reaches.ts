import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestProject, Vitest } from 'vitest/node';

/** A test file, and the files that it loads, each with the number of imports on the shortest way to it. */
export interface TestReach {
  readonly test: string;
  readonly project: string;
  readonly distances: Readonly<Record<string, number>>;
}

/** Returns the project's own files that a file imports; an import of nothing but types is none. */
async function importsOf({ vite, config }: TestProject, file: string): Promise<string[]> {
  const { moduleGraph } = vite.environments.ssr;
  const transformed =
    moduleGraph.getModuleById(file)?.transformResult ??
    (await vite.environments.ssr.transformRequest(file));
  const imported = [...(transformed?.deps ?? []), ...(transformed?.dynamicDeps ?? [])];
  return imported
    .map((path) => (path.startsWith('/@fs/') ? path.slice(4) : join(config.root, path)))
    .filter((path) => !path.includes('node_modules') && existsSync(path));
}

/** Walks breadth first, so the first visit of a file is the nearest one. */
async function distancesFrom(
  test: string,
  importsByFile: (file: string) => Promise<string[]>,
): Promise<Map<string, number>> {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances) {
    for (const imported of await importsByFile(file)) {
      if (!distances.has(imported)) distances.set(imported, distance + 1);
    }
  }
  return distances;
}

/** Returns the reach of all test files of the projects that Vitest runs. */
export async function testReaches(vitest: Vitest, root: string): Promise<TestReach[]> {
  const specifications = await vitest.globTestSpecifications();
  const known = new Map<string, Promise<string[]>>();
  const reaches = specifications.map(async ({ moduleId, project }) => {
    const importsByFile = (file: string): Promise<string[]> => {
      const key = `${project.name} ${file}`;
      const imports = known.get(key) ?? importsOf(project, file);
      known.set(key, imports);
      return imports;
    };
    const distances = await distancesFrom(moduleId, importsByFile);
    const named = [...distances].map(([file, distance]) => [relative(root, file), distance]);
    return {
      test: relative(root, moduleId),
      project: project.name,
      distances: Object.fromEntries(named),
    };
  });
  return Promise.all(reaches);
}
