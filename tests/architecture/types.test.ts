import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inSeededTree, root } from './seeded-tree.ts';

/** Type-checks one file with the settings of that folder. @returns the compiler's messages. */
function check(runtime: string, content: string): Promise<string> {
  const tsconfig = {
    extends: join(root, runtime, 'tsconfig.json'),
    include: ['a.ts'],
    exclude: [],
  };
  const tree = { 'a.ts': content, 'tsconfig.json': JSON.stringify(tsconfig) };
  return inSeededTree(tree, (folder) => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
  });
}

const usesDocument = 'export const title = document.title;\n';
const usesWorkerScope =
  '/// <reference lib="webworker" />\nexport const a = (self: ServiceWorkerGlobalScope) => self.clients;\n';
const usesProcess = 'export const a = process.pid;\n';

describe('one set of types per runtime', () => {
  it.each([
    ['schemas', usesDocument],
    ['schemas', usesProcess],
    ['replication', usesDocument],
    ['replication', usesProcess],
    ['sw', usesDocument],
    ['src', usesProcess],
    ['backend', usesDocument],
    ['functions', usesDocument],
    ['scripts', usesDocument],
  ])(
    '%s does not know a foreign one',
    async (runtime, content) => {
      expect(await check(runtime, content)).toContain('error TS2');
    },
    60_000,
  );

  it.each([
    ['src', usesDocument],
    ['sw', usesWorkerScope],
    ['backend', usesProcess],
    ['functions', usesProcess],
  ])(
    '%s knows its own',
    async (runtime, content) => {
      expect(await check(runtime, content)).toBe('');
    },
    60_000,
  );
});
