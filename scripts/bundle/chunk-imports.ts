import { basename } from 'node:path';
import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface ImportNode extends Node {
  readonly source: Node & { readonly value?: unknown };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isImport(node: Node): node is ImportNode {
  return node.type === 'ImportExpression';
}

function importsIn(node: Node): ImportNode[] {
  const children = Object.values(node).flat().filter(isNode);
  return [...(isImport(node) ? [node] : []), ...children.flatMap(importsIn)];
}

/** Returns the name that the bundler gives to the chunk of a module, without the hash. */
function chunkNameOf(specifier: string): string {
  const [path = ''] = specifier.split('?');
  return basename(path).replace(/\.[^.]*$/, '');
}

/**
 * Wraps every `import()` of the page in `loadChunk`, including those that the router's plugin generates: all code that
 * loads later has one time limit and one error, which no caller can forget.
 */
export function chunkImports(root: string): Plugin {
  const folder = `${root}/src/`;
  const loader = `${folder}lib/async/load-chunk.ts`;
  return {
    name: 'chunk-imports',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(folder) || !code.includes('import(')) return null;
      const imports = importsIn(this.parse(code))
        .filter(({ source }) => typeof source.value === 'string')
        .toSorted((one, other) => other.start - one.start);
      let wrapped = code;
      for (const { start, end, source } of imports) {
        const name = JSON.stringify(chunkNameOf(String(source.value)));
        const call = wrapped.slice(start, end);
        wrapped = `${wrapped.slice(0, start)}__loadChunk(${name}, () => ${call})${wrapped.slice(end)}`;
      }
      const own = `import { loadChunk as __loadChunk } from ${JSON.stringify(loader)};`;
      return imports.length === 0 ? null : { code: `${own}${wrapped}`, map: null };
    },
  };
}
