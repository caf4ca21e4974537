import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The global variable with the exports of the classic scripts, by the names of their chunks. */
const registry = 'pawpalsStart';
/** The global function that resolves to the exports of the owner's script once it has run. */
const loadOwner = 'pawpalsOwner';

const loader = fileURLToPath(new URL('../../src/lib/dom/load-script.ts', import.meta.url));

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

const ownHash = hashOf(readFileSync(fileURLToPath(import.meta.url), 'utf8'));

function chunksIn(bundle: Bundle, names = Object.keys(bundle)): Chunk[] {
  return names.flatMap((name) => {
    const output = bundle[name];
    return output?.type === 'chunk' ? [output] : [];
  });
}

/** The chunks that become classic scripts. */
interface Scripts {
  /** The page's entry. */
  readonly start: Chunk;
  /** The session, the database and the first screens of a signed-in owner, without what the entry has. */
  readonly owner: Chunk;
}

function scriptsIn(bundle: Bundle): Scripts {
  const start = chunksIn(bundle).find(({ isEntry }) => isEntry);
  const owner = chunksIn(bundle).find(({ name }) => name === 'owner');
  if (start === undefined || owner === undefined) throw new Error('The page has no such chunks');
  const others = [...start.imports, ...owner.imports].filter((name) => name !== start.fileName);
  if (others.length > 0) throw new Error(`The classic scripts import ${others.join()}`);
  return { start, owner };
}

/** Whether a chunk or one of its static imports reads from the owner's script. */
function needsOwner(bundle: Bundle, chunk: Chunk, owner: Chunk): boolean {
  const needed = new Set([chunk]);
  // Iteration over a set includes members that are added meanwhile.
  for (const { imports } of needed) for (const each of chunksIn(bundle, imports)) needed.add(each);
  return needed.has(owner);
}

const entryName = 'classic-script';
const folder = 'static/js';

/** Serves the entry and the chunk to the bundler; all other code of the page stays external. */
function servedChunk(entry: string, { fileName, code }: Chunk): Plugin {
  const modules = new Map([
    [entryName, entry],
    [basename(fileName), code],
  ]);
  return {
    name: 'classic-script',
    enforce: 'pre',
    resolveId(id) {
      if (id === loader) return id;
      const name = basename(id);
      return modules.has(name) ? `\0${name}` : { id: `/${folder}/${name}`, external: 'absolute' };
    },
    load: (id) => modules.get(id.slice(1)),
  };
}

/** Returns a classic script that runs the chunk and puts its exports into the registry. @param before runs first. */
async function scriptOf(chunk: Chunk, before = ''): Promise<string> {
  const registered = `{...globalThis.${registry}, ${chunk.name}: chunk}`;
  const entry = `import * as chunk from './${basename(chunk.fileName)}';${before}globalThis.${registry} = ${registered};`;
  const result = await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [servedChunk(entry, chunk)],
    build: {
      write: false,
      copyPublicDir: false,
      target: 'esnext',
      // In a library build Vite leaves `import()` as it is.
      lib: { entry: entryName, formats: ['iife'], name: registry },
    },
  });
  const [output] = [result].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (output?.type !== 'chunk') throw new Error('A classic script is one file');
  return output.code;
}

/** Returns code that defines the function which loads the owner's script. @param name of its exports in the registry. */
function loaderOf(address: string, name: string): string {
  return `import {loadScript} from ${JSON.stringify(loader)};
let loading;
const again = (error) => { loading = undefined; throw error; };
globalThis.${loadOwner} = () =>
  loading ??= loadScript(${JSON.stringify(address)}, () => ${registry}.${name}).catch(again);`;
}

const staticImport = /\bimport(?:\{([^}]*)\}from)?[`"']\.\/([^`"']+)[`"'];?/g;
const dynamicImport = /\bimport\([`"']\.\/([^`"']+)[`"']\)/g;

/** Returns the code with the exports of a classic script read from the registry, instead of imported. */
function readFromRegistry(code: string, { name, fileName }: Chunk): string {
  const file = basename(fileName);
  const read = code.replaceAll(staticImport, (all: string, names: string, from: string) => {
    if (from !== file) return all;
    return names ? `const{${names.replaceAll(' as ', ':')}}=${registry}.${name};` : '';
  });
  if (read.includes(`./${file}`)) throw new Error(`The bundler imports ${file} in another form`);
  return read;
}

/** Returns the code with each `import()` of code that needs the owner's script preceded by loading it. */
function awaitOwner(code: string, bundle: Bundle, owner: Chunk): string {
  return code.replaceAll(dynamicImport, (call: string, file: string) => {
    const [chunk] = chunksIn(bundle, [`${folder}/${file}`]);
    if (chunk === undefined) throw new Error(`There is no chunk ${file}`);
    if (chunk === owner) return `${loadOwner}()`;
    return needsOwner(bundle, chunk, owner) ? `${loadOwner}().then(()=>${call})` : call;
  });
}

/** Makes all chunks use what the scripts export. */
function linkToScripts(bundle: Bundle, { start, owner }: Scripts): void {
  for (const chunk of chunksIn(bundle)) {
    // The owner's script runs after the page's.
    if (chunk !== owner) {
      chunk.code = readFromRegistry(awaitOwner(chunk.code, bundle, owner), owner);
    }
    if (chunk !== start) chunk.code = readFromRegistry(chunk.code, start);
  }
}

/** Vite's code that loads the style sheets of a chunk before the chunk. The page has one for all, and preloads nothing. */
const preloadHelper = '\0vite/preload-helper.js';

const moduleTags = /<script type="module"[^>]*><\/script>\s*(<link rel="modulepreload"[^>]*>\s*)*/;

/**
 * Bundles the code that the page loads first into one classic script, and the code that an owner's first screens need
 * beyond it into another.
 *
 * - Chromium caches the compiled code of a classic script from a worker's cache, but not that of a module: decision
 *   0011.
 * - Modules that are loaded later read what the scripts export when they run, so none of these exports may change
 *   afterwards (`tests/e2e/weight.e2e.ts`).
 */
export function classicStart(): Plugin {
  return {
    name: 'classic-start',
    apply: 'build',
    enforce: 'post',
    // The bundler names a chunk by its code before it is rewritten here, and a file of a name never changes.
    augmentChunkHash: () => ownHash,
    load: {
      order: 'pre',
      handler: (id) =>
        id === preloadHelper ? 'export const __vitePreload = (load) => load();' : null,
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The page is not built yet');
        const sheets = Object.keys(bundle).filter((name) => name.endsWith('.css'));
        if (sheets.length > 1) throw new Error('A style sheet of a chunk would not be loaded');
        const scripts = scriptsIn(bundle);
        linkToScripts(bundle, scripts);
        const emit = (name: string, source: string): string => {
          const fileName = `${folder}/${name}-${hashOf(source)}.js`;
          this.emitFile({ type: 'asset', fileName, source });
          return `/${fileName}`;
        };
        const { start, owner } = scripts;
        const ownerAddress = emit('owner', await scriptOf(owner));
        const address = emit('start', await scriptOf(start, loaderOf(ownerAddress, owner.name)));
        for (const { fileName } of [start, owner]) delete bundle[fileName];
        const html = String(page.source);
        if (!moduleTags.test(html)) throw new Error('The page loads no module');
        page.source = html.replace(moduleTags, `<script defer src="${address}"></script>\n    `);
      },
    },
  };
}
