import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { say } from '../run/progress.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The last commit before an owner's data moved to one database. It is built with today's packages. */
export const earlierCommit = 'bb1c696';

/**
 * Builds the app of {@link earlierCommit}. @param folder a new folder for the sources and the build. @returns the
 * folder of the build; null if this clone does not have the commit.
 */
export async function buildEarlierApp(folder: string): Promise<string | null> {
  try {
    await run('git', ['cat-file', '-e', `${earlierCommit}^{commit}`], { cwd: root });
  } catch {
    say(`start: this clone does not have ${earlierCommit}`);
    return null;
  }
  const sources = join(folder, 'sources');
  await run('git', ['clone', '--quiet', '--no-checkout', root, sources]);
  await run('git', ['checkout', '--quiet', earlierCommit], { cwd: sources });
  await symlink(join(root, 'node_modules'), join(sources, 'node_modules'));
  const outDir = join(folder, 'dist');
  await run('npx', ['vite', 'build', '--logLevel', 'error', '--outDir', outDir], { cwd: sources });
  return outDir;
}
