import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

/** A constant in UPPER_CASE. One letter is no such name: it may be a type, or a dimension. */
const upperCase = /^[A-Z][A-Z0-9_]+$/;

/** A file without such a text declares no such variable; to parse every file would take seconds. */
const maybeDeclares = /\b[A-Z][A-Z0-9_]+\s*[=:;,]/;

/** Names that a package prescribes. */
const prescribed = new Set(['replication/firebase/no-regex.ts: RE2JS']);

/** Returns the variables of a file that are named in UPPER_CASE, wherever they are declared. */
function upperCaseVariables(path: string, text: string): string[] {
  if (!maybeDeclares.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      if (upperCase.test(node.name.text)) found.push(`${path}: ${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found.filter((each) => !prescribed.has(each));
}

describe('constants', () => {
  it('are named in camelCase in every source and test', () => {
    const paths = filesUnder('').filter((path) => /\.(?:tsx?|[mc]js)$/.test(path));
    expect(paths.length).toBeGreaterThan(1400);
    const named = paths.flatMap((path) =>
      upperCaseVariables(path, readFileSync(join(root, path), 'utf8')),
    );
    expect(named).toEqual([]);
  });

  it('are checked in earnest: seeded names are reported, strings, types and properties are not', () => {
    const text = `
      export const MAX_BYTES = 1024;
      const maxBytes = 1024, LIMIT = { RESOURCE_EXHAUSTED: 8 };
      type ID = string;
      const [N] = process.env['PAWPALS_DATA'] ?? '';
      function each<T>(value: T) { let INNER_NAME = value; return INNER_NAME; }
    `;
    expect(upperCaseVariables('a.ts', text)).toEqual([
      'a.ts: MAX_BYTES',
      'a.ts: LIMIT',
      'a.ts: INNER_NAME',
    ]);
  });
});
