import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { inSeededTree, root, type Tree } from './seeded-tree.ts';

const reportSchema = v.object({
  diagnostics: v.array(v.object({ code: v.optional(v.string()), filename: v.string() })),
  number_of_files: v.number(),
});

export interface LintReport {
  readonly fileCount: number;
  /** The codes of the faults in that file, such as `typescript(TS2584)`. */
  codesOf(file: string): readonly string[];
}

/**
 * The folders with a tsconfig. A file is checked with the settings of its folder, or of a project that they refer to.
 */
const tsconfigs = [
  'schemas',
  'replication',
  'store',
  'src',
  'sw',
  'functions',
  'backend',
  'backend/tests',
  'scripts',
  'tests',
  'bench',
].map((folder) => `${folder}/tsconfig.json`);

/** Runs the linter as `npm run check` does, in a folder with these files and the project's settings. */
export function oxlint(tree: Tree, args: readonly string[]): Promise<LintReport> {
  return inSeededTree(tree, (folder) => {
    const settings = [
      '.oxlintrc.json',
      'tsconfig.base.json',
      'tsconfig.json',
      'src/tsconfig.test.json',
    ];
    for (const file of [...settings, ...tsconfigs]) cpSync(join(root, file), join(folder, file));
    const { stdout } = spawnSync(
      join(root, 'node_modules/.bin/oxlint'),
      [...args, '--format', 'json'],
      { cwd: folder, encoding: 'utf8' },
    );
    const report = v.parse(reportSchema, JSON.parse(stdout));
    return {
      fileCount: report.number_of_files,
      codesOf: (file) =>
        report.diagnostics
          .filter(({ filename }) => filename === file)
          .map(({ code }) => code ?? ''),
    };
  });
}
