import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { inSeededTree, root, type Tree } from './seeded-tree.ts';

const reportSchema = v.object({
  summary: v.object({
    totalCruised: v.number(),
    violations: v.array(v.object({ rule: v.object({ name: v.string() }) })),
  }),
});

const folders = [
  'schemas',
  'replication',
  'src',
  'sw',
  'functions',
  'backend',
  'scripts',
  'tests',
  'bench',
];

function cruise(cwd: string, paths: readonly string[]) {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
      ...paths,
    ],
    { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { summary } = v.parse(reportSchema, JSON.parse(stdout));
  return { modules: summary.totalCruised, rules: summary.violations.map(({ rule }) => rule.name) };
}

function sourceFiles(folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'));
}

const target = 'export const target = 1;\n';

/** What is seeded: a file, what it imports, and the rule that must fail. */
const violations: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['schemas-only-valibot', 'schemas/a.ts', 'replication/b.ts'],
  ['replication', 'replication/a.ts', 'src/lib/b.ts'],
  ['src-lib', 'src/lib/a.ts', 'schemas/b.ts'],
  ['src-ui', 'src/ui/a.ts', 'src/data/b.ts'],
  ['src-platform', 'src/platform/a.ts', 'src/data/b.ts'],
  ['src-data', 'src/data/a.ts', 'replication/b.ts'],
  ['src-features', 'src/features/pets/a.ts', 'replication/b.ts'],
  ['features-apart', 'src/features/pets/a.ts', 'src/features/journal/b.ts'],
  ['src-routes', 'src/routes/a.ts', 'src/data/b.ts'],
  ['src-app-not-servers', 'src/app/a.ts', 'backend/b.ts'],
  ['sw', 'sw/a.ts', 'src/lib/b.ts'],
  ['sw-without-bell', 'sw/a.ts', 'replication/firebase/bell.ts'],
  ['functions', 'functions/src/a.ts', 'replication/b.ts'],
  ['functions', 'functions/src/a.ts', 'backend/b.ts'],
  ['backend-is-a-stranger', 'backend/a.ts', 'schemas/b.ts'],
  ['backend-is-a-stranger', 'backend/a.ts', 'functions/b.ts'],
];

const packageViolations: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['firestore-in-one-folder', 'replication/documents/a.ts', 'firebase/firestore/lite'],
  ['dexie-for-blobs-only', 'replication/store/a.ts', 'dexie'],
  ['src-features', 'src/features/pets/a.ts', 'rxdb/plugins/core'],
  ['schemas-only-valibot', 'schemas/a.ts', 'react'],
  ['functions', 'functions/src/a.ts', 'rxdb'],
  ['functions-cores-are-pure', 'functions/src/account-cleanup/a.ts', 'firebase-admin/app'],
];

async function rulesFor(tree: Tree, file: string): Promise<string[]> {
  const seeded = await inSeededTree(tree, (folder) => cruise(folder, [file.split('/')[0] ?? '.']));
  expect(seeded.modules).toBeGreaterThan(0);
  return seeded.rules;
}

describe('import boundaries', () => {
  it('hold in the whole project, and the tool has read every file', () => {
    const { modules, rules } = cruise(root, folders);
    expect(rules).toEqual([]);
    const files = folders.flatMap((folder) => sourceFiles(folder));
    expect(files.length).toBeGreaterThan(50);
    expect(modules).toBeGreaterThanOrEqual(files.length);
  }, 60_000);

  it.each(violations)(
    '%s: %s may not import %s',
    async (rule, file, imported) => {
      const up = file
        .split('/')
        .slice(1)
        .map(() => '../')
        .join('');
      const tree = {
        [file]: `export { target } from '${up === '' ? './' : up}${imported}';\n`,
        [imported]: target,
      };
      expect(await rulesFor(tree, file)).toContain(rule);
    },
    30_000,
  );

  it.each(packageViolations)(
    '%s: %s may not import %s',
    async (rule, file, imported) => {
      expect(await rulesFor({ [file]: `import '${imported}';\n` }, file)).toContain(rule);
    },
    30_000,
  );

  it('no-cycles: two files that import each other', async () => {
    const tree = {
      'src/lib/a.ts': "import './b.ts';\nexport const a = 1;\n",
      'src/lib/b.ts': "import './a.ts';\nexport const b = 1;\n",
    };
    expect(await rulesFor(tree, 'src/lib/a.ts')).toContain('no-cycles');
  }, 30_000);

  it('not-resolved: a file that is not there', async () => {
    const tree = { 'src/lib/a.ts': "import './nowhere.ts';\n" };
    expect(await rulesFor(tree, 'src/lib/a.ts')).toContain('not-resolved');
  }, 30_000);

  it('lets through what is allowed', async () => {
    const tree = {
      'src/data/a.ts': "export { target } from '../../schemas/b.ts';\n",
      'schemas/b.ts': target,
    };
    expect(await rulesFor(tree, 'src/data/a.ts')).toEqual([]);
  }, 30_000);
});
