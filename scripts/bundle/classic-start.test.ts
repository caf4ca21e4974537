import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { classicStart } from './classic-start.ts';

const sources = {
  'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
  'main.js': `export const shared = () => 'shared';
globalThis.open = () => import('./owner/screen.js');
globalThis.settle = () => import('./later.js');`,
  'owner/screen.js': `import { shared } from '../main.js';
export const screen = () => shared() + 'screen';`,
  'later.js': `import { shared } from './main.js';
import { screen } from './owner/screen.js';
console.log(shared() + screen());`,
};

let root = '';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'classic-start-'));
  await mkdir(join(root, 'owner'));
  for (const [name, text] of Object.entries(sources)) await writeFile(join(root, name), text);
});

afterAll(() => rm(root, { recursive: true }));

/** Returns the files of a build by their names. */
async function filesOf(plugin: Plugin): Promise<Map<string, string>> {
  const names = 'static/js/[name]-[hash].js';
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [plugin],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        output: {
          entryFileNames: names,
          chunkFileNames: names,
          codeSplitting: {
            groups: [
              { name: 'start', test: /main\.js|index\.html/ },
              { name: 'owner', test: /\/owner\// },
            ],
          },
        },
      },
    },
  });
  const outputs = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  return new Map(
    outputs.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]),
  );
}

function named(files: ReadonlyMap<string, string>, start: string): [name: string, text: string] {
  const found = [...files].find(([name]) => name.startsWith(`static/js/${start}-`));
  if (found === undefined) throw new Error(`There is no ${start}`);
  return found;
}

it('leaves no module of what it bundles, and loads the owner’s script before what needs it', async () => {
  const files = await filesOf(classicStart());
  const names = [...files.keys()].map((name) => name.replace(/-[\w-]{8}\.js$/, ''));
  expect(names.toSorted()).toEqual([
    'index.html',
    'static/js/later',
    'static/js/owner',
    'static/js/start',
  ]);
  const [, later] = named(files, 'later');
  expect(later).not.toMatch(/\bimport\b/);
  expect(later).toContain('=pawpalsStart.owner;');
  const [startName, start] = named(files, 'start');
  expect(start).toMatch(/pawpalsOwner\(\)\.then\((\w)=>\1\./);
  expect(start).toMatch(/pawpalsOwner\(\)\.then\(\(\)=>import\(.\/static\/js\/later-/);
  expect(start).toContain(named(files, 'owner')[0]);
  expect(start).not.toContain('modulepreload');
  expect(files.get('index.html')).toContain(`<script defer src="/${startName}"></script>`);
});

it('gives the chunks names that change with the plugin, which rewrites them', async () => {
  const [name] = named(await filesOf(classicStart()), 'later');
  const { augmentChunkHash: _, ...withoutHash } = classicStart();
  expect(named(await filesOf(withoutHash), 'later')[0]).not.toBe(name);
  expect(named(await filesOf(classicStart()), 'later')[0]).toBe(name);
});
