import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { inSeededTree, numbered, root, type Tree } from './seeded-tree.ts';

const reportSchema = v.object({
  summary: v.object({
    totalCruised: v.number(),
    violations: v.array(v.object({ from: v.string(), rule: v.object({ name: v.string() }) })),
  }),
});

const folders = [
  'schemas',
  'replication',
  'store',
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
  return { modules: summary.totalCruised, violations: summary.violations };
}

function sourceFiles(folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'));
}

const target = 'export const target = 1;\n';

/** The seeded violations: a file, its import, and the rule that must report it. */
const violations: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['schemas-only-valibot', 'schemas/a.ts', 'replication/b.ts'],
  ['store', 'store/a.ts', 'replication/b.ts'],
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
  ['sw-without-bell', 'sw/a.ts', 'replication/firebase/bell/bell.ts'],
  ['functions', 'functions/src/a.ts', 'replication/b.ts'],
  ['functions', 'functions/src/a.ts', 'backend/b.ts'],
  ['backend-is-a-stranger', 'backend/a.ts', 'schemas/b.ts'],
  ['backend-is-a-stranger', 'backend/a.ts', 'functions/b.ts'],
];

const packageViolations: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['firestore-in-one-folder', 'replication/documents/a.ts', 'firebase/firestore/lite'],
  ['dexie-raises-only', 'store/a.ts', 'dexie'],
  ['icons-one-by-one', 'src/ui/a.ts', 'lucide-react'],
  ['src-features', 'src/features/pets/a.ts', 'rxdb/plugins/core'],
  ['src-lib', 'src/lib/a.ts', '@tanstack/react-query'],
  ['src-routes', 'src/routes/a.ts', '@tanstack/react-query'],
  ['schemas-only-valibot', 'schemas/a.ts', 'react'],
  ['functions', 'functions/src/a.ts', 'rxdb'],
  ['functions-cores-are-pure', 'functions/src/account-cleanup/a.ts', 'firebase-admin/app'],
];

/** The relative path from a file to the root of the tree. */
const wayUp = (file: string): string => '../'.repeat(file.split('/').length - 1);

const cycle = ['src/lib/cycle-one.ts', 'src/lib/cycle-two.ts'] as const;
const unresolved = 'src/lib/unresolved.ts';
const allowed = 'src/data/allowed.ts';

/** Every violation has its own file, so that one run of the tool finds them all. */
const seeds = [
  ...violations.map(([rule, file, imported], index) => {
    const from = numbered(file, index);
    const content = `export { target } from '${wayUp(file)}${imported}';\n`;
    return { rule, from, imported, files: { [from]: content, [imported]: target } };
  }),
  ...packageViolations.map(([rule, file, imported], index) => {
    const from = numbered(file, violations.length + index);
    return { rule, from, imported, files: { [from]: `import '${imported}';\n` } };
  }),
];

const tree: Tree = Object.assign(
  {
    [cycle[0]]: "import './cycle-two.ts';\nexport const a = 1;\n",
    [cycle[1]]: "import './cycle-one.ts';\nexport const b = 1;\n",
    [unresolved]: "import './nowhere.ts';\n",
    [allowed]: "export { target } from '../../schemas/b.ts';\n",
    'schemas/b.ts': target,
  },
  ...seeds.map(({ files }) => files),
);

describe('import boundaries', () => {
  it('hold in the whole project, and the tool has read every file', () => {
    const { modules, violations: found } = cruise(root, folders);
    expect(found).toEqual([]);
    const files = folders.flatMap((folder) => sourceFiles(folder));
    expect(files.length).toBeGreaterThan(50);
    expect(modules).toBeGreaterThanOrEqual(files.length);
  }, 300_000);
});

describe('seeded violations', () => {
  let seeded: ReturnType<typeof cruise>;
  beforeAll(async () => {
    const top = [...new Set(Object.keys(tree).map((file) => file.split('/')[0] ?? '.'))];
    seeded = await inSeededTree(tree, (folder) => cruise(folder, top));
  }, 300_000);
  const rulesFor = (file: string): string[] =>
    seeded.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  it('are read from every seeded file', () => {
    expect(seeded.modules).toBeGreaterThanOrEqual(Object.keys(tree).length);
  });

  it.each(seeds)('$rule: $from may not import $imported', ({ rule, from }) => {
    expect(rulesFor(from)).toContain(rule);
  });

  it('no-cycles: two files that import each other', () => {
    expect(rulesFor(cycle[0])).toContain('no-cycles');
  });

  it('not-resolved: a file that is not there', () => {
    expect(rulesFor(unresolved)).toContain('not-resolved');
  });

  it('do not include an allowed import', () => {
    expect(rulesFor(allowed)).toEqual([]);
  });
});
