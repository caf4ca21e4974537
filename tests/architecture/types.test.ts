import { beforeAll, describe, expect, it } from 'vitest';
import { oxlint, type LintReport } from './oxlint-report.ts';
import { numbered } from './seeded-tree.ts';

const usesDocument = 'export const title = document.title;\n';
const usesWorkerScope =
  '/// <reference lib="webworker" />\nexport const a = (self: ServiceWorkerGlobalScope) => self.clients;\n';
const usesProcess = 'export const a = process.pid;\n';
/** Only a setting of the whole project makes this an error; a file outside every tsconfig.json would not have it. */
const usesHole = 'const a: string[] = [];\nexport const b: string = a[0];\n';

type Seed = readonly [file: string, content: string];

const foreign: readonly Seed[] = [
  ['schemas/a.ts', usesDocument],
  ['schemas/a.ts', usesProcess],
  ['replication/a.ts', usesDocument],
  ['replication/a.ts', usesProcess],
  ['sw/a.ts', usesDocument],
  ['src/a.ts', usesProcess],
  ['backend/src/a.ts', usesDocument],
  ['functions/src/a.ts', usesDocument],
  ['scripts/a.ts', usesDocument],
];

const own: readonly Seed[] = [
  ['src/a.ts', usesDocument],
  ['sw/a.ts', usesWorkerScope],
  ['backend/src/a.ts', usesProcess],
  ['functions/src/a.ts', usesProcess],
  ['src/a.test.ts', usesProcess],
  ['replication/a.test.ts', usesProcess],
  ['schemas/a.test.ts', usesProcess],
];

const holed: readonly Seed[] = [
  'schemas/a.ts',
  'schemas/a.test.ts',
  'replication/documents/a.ts',
  'replication/documents/a.test.ts',
  'sw/a.ts',
  'src/lib/a.ts',
  'src/lib/a.test.ts',
  'src/features/pets/a.test.tsx',
  'src/data/a.test.ts',
  'functions/src/a.ts',
  'functions/src/a.test.ts',
  'backend/src/a.ts',
  'backend/src/a.test.ts',
  'backend/tests/a.test.ts',
  'scripts/a.ts',
  'scripts/a.test.ts',
  'tests/support/a.ts',
  'tests/support/a.tsx',
  'tests/e2e/a.e2e.ts',
  'bench/a.ts',
].map((file) => [file, usesHole] as const);

const seeds = [...foreign, ...own, ...holed].map(
  ([file, content], index) => [numbered(file, index), content] as const,
);
const withFile = (part: readonly Seed[], offset: number) =>
  part.map(([file, content], index) => [file, content, numbered(file, offset + index)] as const);

describe('one set of types per runtime', () => {
  // All files are checked at once: starting the tool takes longer than the rest of these tests.
  let report: LintReport;
  beforeAll(async () => {
    report = await oxlint(Object.fromEntries(seeds), ['--type-aware', '--type-check']);
  }, 300_000);
  const errorsIn = (file: string) =>
    report.codesOf(file).filter((code) => code.startsWith('typescript(TS'));

  it.each(withFile(foreign, 0))(
    '%s rejects a type of another runtime: %s',
    (_name, _content, file) => {
      expect(errorsIn(file).join()).toContain('typescript(TS2');
    },
  );

  it.each(withFile(own, foreign.length))(
    '%s accepts a type of its own runtime: %s',
    (_name, _content, file) => {
      expect(errorsIn(file)).toEqual([]);
    },
  );

  it.each(withFile(holed, foreign.length + own.length))(
    '%s has the settings of the project',
    (_name, _content, file) => {
      expect(errorsIn(file)).toEqual(['typescript(TS2322)']);
    },
  );

  it('every file is read', () => {
    expect(report.fileCount).toBe(seeds.length);
  });
});
