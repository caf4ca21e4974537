import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getMingoQuery } from '../../store/rxdb/selectors.ts';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

/** The folders whose code is bundled. */
const folders = ['src', 'store', 'replication', 'sw', 'schemas'];

/** Returns the operators of selectors in that code, as `$gt` in `{ $gt: 0 }`. */
function operatorsIn(code: string): string[] {
  return [...code.matchAll(/[{,]\s*(\$[a-z]\w*)\s*:/g)].map(([, name = '']) => name);
}

describe('the operators of selectors', () => {
  it('all exist in the bundles, which have only some of Mingo’s', () => {
    const code = folders
      .flatMap(filesUnder)
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .map((path) => readFileSync(join(root, path), 'utf8'));
    const operators = new Set(code.flatMap(operatorsIn));
    expect(operators).toContain('$gt');
    for (const operator of operators) {
      expect(() => getMingoQuery({ id: { [operator]: 'a' } })).not.toThrow();
    }
  });

  it('are found wherever they stand in an object', () => {
    const code = `const a = { $gt: 1, $lt: 2 };\nconst b = {\n  $regex: 'a',\n  name,\n  $ne: 3,\n};`;
    expect(operatorsIn(code)).toEqual(['$gt', '$lt', '$regex', '$ne']);
  });
});
