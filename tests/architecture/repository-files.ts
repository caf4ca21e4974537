import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './seeded-tree.ts';

/** Folders that builds, tests and package managers write. Each folder whose name begins with a dot is skipped as well. */
const written = new Set(['node_modules', 'dist', 'dev-dist', 'coverage', 'test-results']);

/** Returns the paths, from the root, of the files that people write. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return entry.name.startsWith('.') || written.has(entry.name) ? [] : filesUnder(path);
  });
}
