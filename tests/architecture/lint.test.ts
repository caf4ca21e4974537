import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { inSeededTree, root, type Tree } from './seeded-tree.ts';

const reportSchema = v.object({
  diagnostics: v.array(v.object({ code: v.optional(v.string()), filename: v.string() })),
  number_of_files: v.number(),
});

function lint(folder: string) {
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.json'));
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '--format', 'json'],
    { cwd: folder, encoding: 'utf8' },
  );
  const report = v.parse(reportSchema, JSON.parse(stdout));
  return {
    files: report.number_of_files,
    codes: report.diagnostics.map(({ code }) => code ?? ''),
  };
}

const importing = (name: string) => `import '${name}';\n`;

/** A file and what is wrong with it, by the rule that must say so. */
const seeded: readonly (readonly [rule: string, file: string, content: string])[] = [
  ['no-restricted-imports', 'schemas/a.ts', importing('rxdb')],
  ['no-restricted-globals', 'schemas/a.ts', 'export const a = window;\n'],
  ['no-restricted-imports', 'replication/documents/a.ts', importing('react')],
  ['no-restricted-imports', 'replication/documents/a.ts', importing('firebase/firestore/lite')],
  ['no-restricted-globals', 'replication/documents/a.ts', 'export const a = document;\n'],
  ['no-restricted-imports', 'src/features/pets/a.ts', importing('rxdb/plugins/core')],
  ['no-restricted-imports', 'src/routes/a.ts', importing('firebase/auth')],
  ['no-restricted-imports', 'src/data/a.ts', importing('../../replication/ports.ts')],
  ['no-restricted-imports', 'sw/a.ts', importing('../src/lib/a.ts')],
  ['no-restricted-globals', 'sw/a.ts', 'export const a = localStorage;\n'],
  ['no-restricted-imports', 'functions/src/a.ts', importing('../../replication/ports.ts')],
  ['no-restricted-imports', 'functions/src/a.ts', importing('../../backend/src/server.ts')],
  ['no-console', 'functions/src/a.ts', 'console.log(1);\n'],
  ['no-restricted-imports', 'backend/src/a.ts', importing('../../schemas/pet.ts')],
  ['no-explicit-any', 'src/lib/a.ts', 'export const a = (b: any) => b;\n'],
  ['no-default-export', 'src/lib/a.ts', 'const a = 1;\nexport default a;\n'],
  ['no-console', 'src/lib/a.ts', 'console.log(1);\n'],
  [
    'no-floating-promises',
    'src/lib/a.ts',
    'const a = async (): Promise<void> => {};\nexport const b = (): void => { a(); };\n',
  ],
];

describe('lint', () => {
  it.each(seeded)(
    '%s fails in %s',
    async (rule, file, content) => {
      const tree: Tree = { [file]: content };
      const { files, codes } = await inSeededTree(tree, lint);
      expect(files).toBeGreaterThan(0);
      expect(codes.join(' ')).toContain(rule);
    },
    30_000,
  );

  it('lets a good file through', async () => {
    const { files, codes } = await inSeededTree({ 'src/lib/a.ts': 'export const a = 1;\n' }, lint);
    expect(files).toBe(1);
    expect(codes).toEqual([]);
  }, 30_000);
});
