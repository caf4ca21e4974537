import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The content of each file, by path. */
export type Tree = Readonly<Record<string, string>>;

/** Returns the path of a seeded file with a number in its name, so that one tree can hold several of them. */
export const numbered = (file: string, index: number): string =>
  file.replace(/(?=\.(?:test\.)?tsx?$)/, `-${index}`);

/** Runs a check in a folder that holds these files and the project's packages, then removes it. */
export async function inSeededTree<Result>(
  tree: Tree,
  check: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-tree-'));
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, content] of Object.entries(tree)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return await check(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
