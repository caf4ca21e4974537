import { beforeAll, describe, expect, it } from 'vitest';
import { numbered } from './seeded-tree.ts';
import { oxlint, type LintReport } from './oxlint-report.ts';

const importing = (name: string) => `import '${name}';\n`;

/** The seeded faults: the rule that must report it, the file and its content. */
const seeded: readonly (readonly [rule: string, file: string, content: string])[] = [
  ['no-restricted-imports', 'schemas/a.ts', importing('rxdb')],
  ['no-restricted-globals', 'schemas/a.ts', 'export const a = window;\n'],
  ['no-restricted-imports', 'replication/documents/a.ts', importing('react')],
  ['no-restricted-imports', 'replication/documents/a.ts', importing('firebase/firestore/lite')],
  ['no-restricted-imports', 'replication/documents/a.ts', importing('@tanstack/react-query')],
  ['no-restricted-globals', 'replication/documents/a.ts', 'export const a = document;\n'],
  ['no-restricted-imports', 'src/features/pets/a.ts', importing('rxdb/plugins/core')],
  ['no-restricted-imports', 'src/routes/a.ts', importing('firebase/auth')],
  ['no-restricted-imports', 'src/data/a.ts', importing('../../replication/ports.ts')],
  ['no-restricted-imports', 'sw/a.ts', importing('../src/lib/a.ts')],
  ['no-restricted-globals', 'sw/a.ts', 'export const a = localStorage;\n'],
  ['no-restricted-imports', 'functions/src/a.ts', importing('../../replication/ports.ts')],
  ['no-restricted-imports', 'functions/src/a.ts', importing('../../backend/src/server.ts')],
  ['no-console', 'functions/src/a.ts', 'console.log(1);\n'],
  ['no-restricted-imports', 'backend/src/a.ts', importing('../../schemas/documents/pet.ts')],
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
  // All files are linted at once: starting the tool takes longer than the rest of these tests.
  const goodFile = 'src/lib/good.ts';
  const files = seeded.map(([, file], index) => numbered(file, index));
  let report: LintReport;
  beforeAll(async () => {
    const contents = seeded.map(([, , content], index) => [files[index] ?? '', content]);
    const good = [goodFile, 'export const a = 1;\n'];
    report = await oxlint(Object.fromEntries([...contents, good]), ['--type-aware']);
  }, 300_000);

  it.each(seeded.map(([rule, file], index) => [rule, file, index] as const))(
    '%s fails in %s',
    (rule, _file, index) => {
      expect(report.codesOf(files[index] ?? '').join(' ')).toContain(rule);
    },
  );

  it('reports nothing in a good file', () => {
    expect(report.codesOf(goodFile)).toEqual([]);
  });

  it('reads every file', () => {
    expect(report.fileCount).toBe(seeded.length + 1);
  });
});
