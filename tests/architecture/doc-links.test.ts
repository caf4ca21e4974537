import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inSeededTree, root } from './seeded-tree.ts';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'replication/SPEC.md',
  'backend/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

interface Link {
  readonly label: string;
  readonly target: string;
}

/** The links and pictures of a document that lead to a file of the repository. */
function linksOf(text: string): Link[] {
  const links = [...text.matchAll(/\[([^\]]*)\]\(([^)\s]+)\)/g)];
  const pictures = [...text.matchAll(/(<img) src="([^"]+)"/g)];
  return [...links, ...pictures]
    .map(([, label = '', target = '']) => ({ label, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** Paths of files that a document names between backticks, without a link. A pattern with a star is no path. */
function pathsIn(text: string): string[] {
  const named = text.matchAll(/`([\w$.-]+(?:\/[\w$.-]+)+\.(?:tsx?|mjs|md))`/g);
  return [...named].map(([, path = '']) => path);
}

/** Tests that a document names by a part of their title, behind their file: `a.test.ts` "part of the title". */
function testsIn(text: string): { readonly file: string; readonly title: string }[] {
  const named = text.matchAll(/`([\w/.-]+\.(?:e2e|test)\.tsx?)`\s+"([^"]+)"/g);
  return [...named].map(([, file = '', title = '']) => ({ file, title }));
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The name of a function that a link stands for: its label is that name between backticks. */
function functionOf({ label }: Link): string | null {
  return /^`([A-Za-z]\w*)`$/.exec(label)?.[1] ?? null;
}

function declares(source: string, name: string): boolean {
  return new RegExp(`\\b(?:function\\*?|const) ${name}\\b`).test(source);
}

function faultOf(folder: string, document: string, link: Link): string | null {
  const [path = '', anchor] = link.target.split('#');
  const file = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(folder, file))) return `${document} links ${link.target}, which is missing`;
  if (anchor === undefined && functionOf(link) === null) return null;
  const text = readFileSync(join(folder, file), 'utf8');
  if (anchor !== undefined && !anchorsOf(text).includes(anchor)) {
    return `${document} links ${link.target}, and ${file} has no such heading`;
  }
  const name = functionOf(link);
  if (name === null || declares(text, name)) return null;
  return `${document} links ${name}, which ${file} does not declare`;
}

function findFaults(folder: string, document: string): string[] {
  const text = readFileSync(join(folder, document), 'utf8');
  const faults = linksOf(text).map((link) => faultOf(folder, document, link));
  const missing = pathsIn(text)
    .filter(
      (path) => ![join(dirname(document), path), path].some((at) => existsSync(join(folder, at))),
    )
    .map((path) => `${document} names ${path}, which is missing`);
  const untitled = testsIn(text)
    .filter(({ file }) => existsSync(join(folder, file)))
    .filter(({ file, title }) => !readFileSync(join(folder, file), 'utf8').includes(title))
    .map(({ file, title }) => `${document} names "${title}", and ${file} has no such test`);
  return [...faults.filter((fault) => fault !== null), ...missing, ...untitled];
}

describe('the documents', () => {
  it.each(documents)('%s links and names only what exists', (document) => {
    expect(findFaults(root, document)).toEqual([]);
  });

  it('have links to check, and ARCHITECTURE.md those of the way of a note', () => {
    const all = documents.flatMap((path) => linksOf(readFileSync(join(root, path), 'utf8')));
    expect(all.length).toBeGreaterThan(40);
    const architecture = linksOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
    expect(architecture.filter((link) => functionOf(link) !== null).length).toBeGreaterThan(20);
  });

  it('are checked in earnest: seeded faults are found', async () => {
    const text = [
      '# One document',
      '[fine](b.ts) [`run`](b.ts) [here](#one-document) [web](https://x.example) `a.md`, `src/*/b.ts`',
      '[gone](c.ts) [`ran`](b.ts) [there](#another) <img src="p.png" alt=""> `src/c.ts`',
      '`src/d.test.ts` "runs often" and',
      '`src/d.test.ts` "walks"',
    ].join('\n');
    const tree = {
      'a.md': text,
      'b.ts': 'export async function run() {}\nrunOften(ran);\n',
      'src/d.test.ts': "it('runs often at night', () => undefined);",
    };
    expect(await inSeededTree(tree, (folder) => findFaults(folder, 'a.md'))).toEqual([
      'a.md links c.ts, which is missing',
      'a.md links ran, which b.ts does not declare',
      'a.md links #another, and a.md has no such heading',
      'a.md links p.png, which is missing',
      'a.md names src/c.ts, which is missing',
      'a.md names "walks", and src/d.test.ts has no such test',
    ]);
  });
});
