import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

/** A project with one package that only its build needs, which is a folder of its own. */
const projectFiles = {
  'package.json': { name: 'project', version: '1.0.0', devDependencies: { tool: 'file:tool' } },
  'tool/package.json': { name: 'tool', version: '1.0.0' },
  'package-lock.json': {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'project', version: '1.0.0', devDependencies: { tool: 'file:tool' } },
      'node_modules/tool': { resolved: 'tool', link: true },
      tool: { version: '1.0.0', dev: true },
    },
  },
};

async function createProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-install-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, contents] of Object.entries(projectFiles)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(contents));
  }
  const scripts = join(folder, 'scripts/machine');
  await mkdir(scripts, { recursive: true });
  for (const name of ['install.mjs', 'installed-packages.mjs'])
    await cp(join(import.meta.dirname, name), join(scripts, name));
  return folder;
}

it('the packages of the build are installed also where NODE_ENV says production', async () => {
  const folder = await createProject();
  const script = pathToFileURL(join(folder, 'scripts/machine/install.mjs')).href;
  const code = `(await import(${JSON.stringify(script)})).ensureInstalled()`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(existsSync(join(folder, 'node_modules/tool/package.json'))).toBe(true);
});
