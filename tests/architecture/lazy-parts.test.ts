import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

const dynamicImport = /\bimport\(\s*'([^']+\.tsx)'\s*\)/g;
const staticImport = /^(?:import|export)\b(?! type)[^;(]*?'([^']+\.lazy\.tsx)'/gm;

/** Returns the imports of components that contradict the names of their files. */
function misnamedImports(path: string, text: string): string[] {
  const dynamic = [...text.matchAll(dynamicImport)].flatMap(([, to = '']) =>
    to.endsWith('.lazy.tsx') ? [] : [`${path} loads ${to} later`],
  );
  // A part that is loaded later may contain another one.
  const isLate = path.endsWith('.lazy.tsx');
  const early = [...text.matchAll(staticImport)].map(([, to]) => `${path} loads ${to} at once`);
  return isLate ? dynamic : [...dynamic, ...early];
}

describe('components that are loaded later', () => {
  it('lie in files named *.lazy.tsx, which only such files import statically', () => {
    const sources = filesUnder('src').filter((path) => /(?<!\.test)\.tsx?$/.test(path));
    const texts = sources.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    expect(texts.filter(([path]) => path.endsWith('.lazy.tsx')).length).toBeGreaterThan(15);
    expect(texts.flatMap(([path, text]) => misnamedImports(path, text))).toEqual([]);
  });

  it('are checked in earnest: seeded imports are reported', () => {
    const text = `
import { Sheet } from './sheet.lazy.tsx';
import type { SheetProps } from './sheet.lazy.tsx';
import { Button } from './button.tsx';
const menu = lazyPart(async () => (await import('./menu.tsx')).Menu);
const list = lazyPart(async () => (await import('./list.lazy.tsx')).List);
`;
    expect(misnamedImports('src/a.tsx', text)).toEqual([
      'src/a.tsx loads ./menu.tsx later',
      'src/a.tsx loads ./sheet.lazy.tsx at once',
    ]);
  });
});
