import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const listedFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** Packages are those of the project, but the workspaces' own names lead to the copy. */
async function linkPackages(root: string, copy: string): Promise<void> {
  const packages = join(copy, 'node_modules');
  const own = '@pawpals';
  await mkdir(join(packages, own), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== own && name !== '.vite')
      await symlink(join(root, 'node_modules', name), join(packages, name));
  }
  for (const name of ['backend', 'functions'])
    await symlink(join(copy, name), join(packages, own, name));
}

/**
 * Copies the project's files, with those that are not committed yet, and returns the folder. It is removed when this
 * process ends.
 */
export async function copyProject(root: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'pawpals-mutants-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const file of listedFiles(root)) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  await linkPackages(root, copy);
  return copy;
}
