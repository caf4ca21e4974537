import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The table of README.md: the folders that a folder may import besides itself and the files of `src`. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  limits: [],
  store: [],
  auth: ['limits', 'store'],
  channel: ['limits'],
  firestore: ['limits', 'store'],
  'firestore-indexes': ['firestore'],
  rules: [],
  storage: ['limits', 'store'],
  policy: ['firestore', 'storage', 'rules'],
  http: ['limits', 'store', 'auth', 'channel', 'firestore', 'storage', 'policy'],
};
/** Files of `src` that belong to no layer; the rest of them put the layers together. */
const common = new Set(['caller.ts', 'clock.ts', 'json.ts', 'log.ts', 'memo.ts', 'stream.ts']);

function violations(file: string, source: string): string[] {
  const [layer = ''] = file.split('/');
  const allowed = allowedImports[layer];
  if (allowed === undefined) return [`${layer} is no layer`];
  const found: string[] = [];
  for (const [, specifier = ''] of source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = relative('.', join(dirname(file), specifier));
    const [folder = ''] = target.split('/');
    const isFine = folder === layer || allowed.includes(folder) || common.has(target);
    if (!isFine) found.push(`${file} imports ${target}`);
  }
  return found;
}

describe('the layers', () => {
  it('import only what the table allows', async () => {
    const entries = await readdir(src, { recursive: true });
    const files = entries.filter((each) => each.includes('/') && /(?<!\.test)\.ts$/.test(each));
    expect(files.length).toBeGreaterThan(50);
    const sources = await Promise.all(files.map((each) => readFile(join(src, each), 'utf8')));
    expect(sources.flatMap((source, at) => violations(files[at] ?? '', source))).toEqual([]);
  });

  it.each([
    ['channel/session.ts', "import { a } from '../firestore/value.ts';"],
    ['firestore/query.ts', "import type { A } from '../http/router.ts';"],
    ['firestore/query.ts', "const a = await import('../policy/firestore-rules.ts');"],
    ['policy/firestore-rules.ts', "export { createBackend } from '../server.ts';"],
    ['auth/accounts.ts', "import { a } from '../../../schemas/documents/pet.ts';"],
    ['new/thing.ts', ''],
  ])('a violation in %s would be found: %s', (file, source) => {
    expect(violations(file, source).length).toBe(1);
  });
});
