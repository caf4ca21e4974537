import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

const isEmptyPattern = (node: ts.Node): boolean =>
  ts.isRegularExpressionLiteral(node) ||
  (ts.isObjectLiteralExpression(node) && node.properties.length === 0);

/**
 * Returns the empty objects and regular expressions in patterns of `toMatchObject`, which match anything: Vitest compares
 * a pattern's own keys, and these have none. The arguments of calls inside a pattern are no patterns.
 */
function emptyPatterns(path: string, text: string): string[] {
  if (!text.includes('.toMatchObject(')) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visitPattern = (node: ts.Node): void => {
    if (isEmptyPattern(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${path}:${line + 1}: ${node.getText(source)}`);
    }
    if (!ts.isCallExpression(node)) ts.forEachChild(node, visitPattern);
  };
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'toMatchObject'
    ) {
      node.arguments.forEach(visitPattern);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the patterns of toMatchObject', () => {
  it('contain no empty object and no regular expression in any test', () => {
    const paths = filesUnder('').filter((path) => /\.tsx?$/.test(path));
    const texts = paths.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    expect(texts.filter(([, text]) => text.includes('.toMatchObject(')).length).toBeGreaterThan(90);
    expect(texts.flatMap(([path, text]) => emptyPatterns(path, text))).toEqual([]);
  });

  it('are checked in earnest: seeded patterns are reported, those of other matchers are not', () => {
    const text = `
      expect(stored).toMatchObject({ id: 'a', fields: {}, code: /refused/ });
      await expect(sent).rejects.toMatchObject([{ error: { details: [{}] } }]);
      expect(stored).toMatchObject({ code: expect.stringMatching(/refused/), pet: asPet({}) });
      expect(stored).toEqual({ fields: {} });
      expect(each((one) => expect(one).toMatchObject({}))).toMatchObject({ id: 'a' });
    `;
    expect(emptyPatterns('a.test.ts', text)).toEqual([
      'a.test.ts:2: {}',
      'a.test.ts:2: /refused/',
      'a.test.ts:3: {}',
      'a.test.ts:6: {}',
    ]);
  });
});
