import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { requireNode, root } from './install.mjs';

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

function stubExit() {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return { exit, said };
}

it.each(['20.19.0', '22.12.0', '23.1.0', '24.0.0'])('Node %s runs the tools', (version) => {
  const { exit, said } = stubExit();
  requireNode(version);
  expect(exit).not.toHaveBeenCalled();
  expect(said).not.toHaveBeenCalled();
});

it.each(['18.20.8', '20.18.3', '21.7.3', '22.0.0', '22.11.0'])(
  'Node %s is refused with a sentence',
  (version) => {
    const { exit, said } = stubExit();
    expect(() => requireNode(version)).toThrow('ended');
    expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    expect(said).toHaveBeenCalledExactlyOnceWith(
      `PawPals needs Node 20.19 or newer of version 20, or 22.12 or newer; this is ${version}.`,
    );
  },
);

it('npm is told of the same versions of Node', () => {
  const described: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(described).toMatchObject({ engines: { node: '^20.19 || >=22.12' } });
});
