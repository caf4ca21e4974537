import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBuildStamp } from './build-stamp.mjs';

async function builtProject() {
  const root = await mkdtemp(join(tmpdir(), 'pawpals-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const write = async (file: string, text = file) => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const files = ['package.json', 'src/app/app.tsx', 'sw/sw.ts', 'dist/index.html', 'docs/page.md'];
  for (const file of [...files, '.cache/server/serve.js']) await write(file);
  const isCurrent = (env = {}) => createBuildStamp(root, env).isCurrent();
  createBuildStamp(root, {}).write();
  return { root, write, isCurrent };
}

describe('a build is made again', () => {
  it('not while nothing has changed that it reads or made', async () => {
    const { isCurrent, write } = await builtProject();
    expect(isCurrent()).toBe(true);
    await write('docs/page.md', 'Another page.');
    await write('src/app/app.tsx');
    expect(isCurrent({ PORT: '1' })).toBe(true);
  });

  it('after a link was made, also one that leads nowhere', async () => {
    const { isCurrent, root } = await builtProject();
    await symlink('nobody@host.123', join(root, 'src/app/.#app.tsx'));
    expect(isCurrent()).toBe(false);
  });

  it.each([
    ['package.json', 'changed'],
    ['src/app/app.tsx', 'changed'],
    ['src/app/new.ts', 'new'],
    ['public/icon.svg', 'new'],
    ['.env.local', 'VITE_FIREBASE_API_KEY=other'],
    ['node_modules/.package-lock.json', 'other packages'],
    ['dist/index.html', 'of another build'],
    ['dist/left-over.js', 'of another build'],
    ['.cache/server/serve.js', ''],
  ])('after %s was written', async (file, text) => {
    const { isCurrent, write } = await builtProject();
    await write(file, text);
    expect(isCurrent()).toBe(false);
  });

  it.each(['src/app/app.tsx', 'dist', '.cache/server', '.cache/build-stamp.json'])(
    'after %s was deleted',
    async (path) => {
      const { isCurrent, root } = await builtProject();
      await rm(join(root, path), { recursive: true });
      expect(isCurrent()).toBe(false);
    },
  );

  it('with other settings, and after a build that broke off', async () => {
    const { isCurrent, root } = await builtProject();
    expect(isCurrent({ VITE_FIREBASE_PROJECT_ID: 'other' })).toBe(false);
    createBuildStamp(root, {}).remove();
    expect(isCurrent()).toBe(false);
  });
});
