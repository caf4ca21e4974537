import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The global variable with the exports of the chunks, by the names of their files. */
const registry = 'pawpalsStart';

function chunksIn(bundle: Bundle, names: readonly string[]): Chunk[] {
  return names.flatMap((name) => {
    const output = bundle[name];
    return output?.type === 'chunk' ? [output] : [];
  });
}

/** Returns the page's entry and all its static imports. */
function startChunksOf(bundle: Bundle): Chunk[] {
  const entries = chunksIn(bundle, Object.keys(bundle)).filter(({ isEntry }) => isEntry);
  const found = new Set<Chunk>(entries);
  // Iteration over a set includes members that are added meanwhile.
  for (const { imports } of found) for (const chunk of chunksIn(bundle, imports)) found.add(chunk);
  return [...found];
}

/** Returns a module that runs the chunks and puts their exports into the registry. */
function entryOf(names: readonly string[]): string {
  const imports = names.map((name, at) => `import * as chunk${at} from './${name}';`);
  const exports = names.map((name, at) => `${JSON.stringify(name)}: chunk${at}`);
  return `${imports.join('')}globalThis.${registry} = {${exports.join()}};`;
}

const entryName = 'start';

/** Serves the chunks to the bundler; all other code of the page stays external. */
function servedChunks(chunks: readonly Chunk[]): Plugin {
  const codes = new Map(chunks.map(({ fileName, code }) => [basename(fileName), code]));
  const entry = entryOf([...codes.keys()]);
  return {
    name: 'start-chunks',
    enforce: 'pre',
    resolveId(id) {
      const name = basename(id);
      if (name === entryName || codes.has(name)) return `\0${name}`;
      return { id: `/static/js/${name}`, external: 'absolute' };
    },
    load(id) {
      const name = id.slice(1);
      return name === entryName ? entry : codes.get(name);
    },
  };
}

async function bundled(chunks: readonly Chunk[]): Promise<string> {
  const result = await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [servedChunks(chunks)],
    // The preload helper resolves addresses with these, and the addresses are absolute here.
    define: { 'import.meta.resolve': 'undefined', 'import.meta.url': 'location.href' },
    build: {
      write: false,
      copyPublicDir: false,
      target: 'esnext',
      // In a library build Vite leaves `import()` as it is; the chunks preload by themselves.
      lib: { entry: entryName, formats: ['iife'], name: registry },
    },
  });
  const [output] = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (output?.type !== 'chunk') throw new Error('The start of the page is one script');
  return output.code;
}

/** The keywords that the bundler may choose as the short name of an export, and that no variable can have. */
const keywords = /^(do|if|in|for|let|new|try|var|default)$/;

/** Returns the module that replaces a bundled chunk: it exports the values of the registry. */
function standIn({ fileName, exports }: Chunk): string {
  const own = `${registry}[${JSON.stringify(basename(fileName))}]`;
  const names = exports.filter((name) => !keywords.test(name));
  const renamed = exports
    .filter((name) => keywords.test(name))
    .map((name) => `const __${name}=${own}.${name};export{__${name} as ${name}};`);
  return `export const{${names.join()}}=${own};${renamed.join('')}`;
}

const moduleTags = /<script type="module"[^>]*><\/script>\s*(<link rel="modulepreload"[^>]*>\s*)*/;

/**
 * Bundles the code that the page loads first into one classic script.
 *
 * - Chromium caches the compiled code of a classic script from a worker's cache, but not that of a module: decision
 *   0011.
 * - The chunks stay as modules for code that is loaded later. They export the script's values at the time of loading,
 *   so none of these exports may change afterwards (`tests/e2e/weight.e2e.ts`).
 */
export function classicStart(): Plugin {
  return {
    name: 'classic-start',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The page is not built yet');
        const chunks = startChunksOf(bundle);
        const source = await bundled(chunks);
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
        const fileName = `static/js/${entryName}-${hash}.js`;
        this.emitFile({ type: 'asset', fileName, source });
        for (const chunk of chunks) chunk.code = standIn(chunk);
        const html = String(page.source);
        if (!moduleTags.test(html)) throw new Error('The page loads no module');
        page.source = html.replace(moduleTags, `<script defer src="/${fileName}"></script>\n    `);
      },
    },
  };
}
