import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The global variable with the exports of the chunks in classic scripts, by the names of their files. */
const registry = 'pawpalsStart';
/** The global function that resolves to the registry once the owner's script has run. */
const loadOwner = 'pawpalsOwner';

const loader = fileURLToPath(new URL('../../src/lib/dom/load-script.ts', import.meta.url));

function chunksIn(bundle: Bundle, names: readonly string[]): Chunk[] {
  return names.flatMap((name) => {
    const output = bundle[name];
    return output?.type === 'chunk' ? [output] : [];
  });
}

/** Returns the chunks and all their static imports. */
function closureOf(bundle: Bundle, chunks: readonly Chunk[]): Set<Chunk> {
  const found = new Set(chunks);
  // Iteration over a set includes members that are added meanwhile.
  for (const { imports } of found) for (const chunk of chunksIn(bundle, imports)) found.add(chunk);
  return found;
}

/** The chunks of the classic scripts. */
interface Parts {
  /** The page's entry and all its static imports. */
  readonly start: readonly Chunk[];
  /** What the first screens of an owner need beyond them. */
  readonly owner: readonly Chunk[];
}

function partsOf(bundle: Bundle): Parts {
  const chunks = chunksIn(bundle, Object.keys(bundle));
  const entries = chunks.filter(({ isEntry }) => isEntry);
  const start = closureOf(bundle, entries);
  const owners = chunks.filter(({ name }) => name === 'owner');
  const owner = [...closureOf(bundle, owners)].filter((chunk) => !start.has(chunk));
  return { start: [...start], owner };
}

/** Returns code that runs the chunks and puts their exports into the registry. */
function registrationOf(chunks: readonly Chunk[]): string {
  const names = chunks.map(({ fileName }) => basename(fileName));
  const imports = names.map((name, at) => `import * as chunk${at} from './${name}';`);
  const exports = names.map((name, at) => `${JSON.stringify(name)}: chunk${at}`);
  return `${imports.join('')}globalThis.${registry} = {...globalThis.${registry}, ${exports.join()}};`;
}

/** Returns code that defines the function which loads the owner's script. */
function loaderOf(address: string): string {
  return `import {loadScript} from ${JSON.stringify(loader)};
let loading;
const again = (error) => { loading = undefined; throw error; };
globalThis.${loadOwner} = () =>
  loading ??= loadScript(${JSON.stringify(address)}).then(() => ${registry}, again);`;
}

const entryName = 'start';
const folder = 'static/js';

/** Serves the entry and the modules to the bundler; all other code of the page stays external. */
function servedModules(entry: string, modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'classic-modules',
    enforce: 'pre',
    resolveId(id) {
      if (id === loader) return id;
      const name = basename(id);
      if (name === entryName || modules.has(name)) return `\0${name}`;
      return { id: `/${folder}/${name}`, external: 'absolute' };
    },
    load(id) {
      if (id === loader) return null;
      const name = id.slice(1);
      return name === entryName ? entry : modules.get(name);
    },
  };
}

async function bundled(served: Plugin): Promise<string> {
  const result = await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [served],
    // Vite's preload helper, which has nothing to preload, would resolve addresses with these.
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
  if (output?.type !== 'chunk') throw new Error('A classic script is one file');
  return output.code;
}

function exportsOf({ fileName }: Chunk): string {
  return `${registry}[${JSON.stringify(basename(fileName))}]`;
}

const staticImport = /\bimport(?:\{([^}]*)\}from)?[`"']\.\/([^`"']+)[`"'];?/g;
const dynamicImport = /\bimport\([`"']\.\/([^`"']+)[`"']\)/g;

/** Returns the code with the exports of chunks in classic scripts read from the registry, instead of imported. */
function readFromRegistry(code: string, scripted: readonly Chunk[]): string {
  const byName = new Map(scripted.map((chunk) => [basename(chunk.fileName), chunk]));
  return code.replaceAll(staticImport, (all: string, names: string, file: string) => {
    const chunk = byName.get(file);
    if (chunk === undefined) return all;
    return names ? `const{${names.replaceAll(' as ', ':')}}=${exportsOf(chunk)};` : '';
  });
}

/** Returns the code with each `import()` of code that needs the owner's script preceded by loading it. */
function awaitOwner(code: string, bundle: Bundle, { owner }: Parts): string {
  return code.replaceAll(dynamicImport, (call: string, file: string) => {
    const [chunk] = chunksIn(bundle, [`${folder}/${file}`]);
    if (chunk === undefined) throw new Error(`There is no chunk ${file}`);
    if (owner.includes(chunk)) return `${loadOwner}().then(()=>${exportsOf(chunk)})`;
    const needed = closureOf(bundle, [chunk]);
    return owner.some((part) => needed.has(part)) ? `${loadOwner}().then(()=>${call})` : call;
  });
}

/** Makes all chunks use what the scripts export. @throws if the bundler's output has imports of another form. */
function linkToScripts(bundle: Bundle, parts: Parts): void {
  const { start, owner } = parts;
  for (const chunk of chunksIn(bundle, Object.keys(bundle))) {
    // The chunks of one script import each other, and the owner's run after the others.
    const isStart = start.includes(chunk);
    const isOwner = owner.includes(chunk);
    if (!isOwner) chunk.code = awaitOwner(chunk.code, bundle, parts);
    const read = [...(isStart ? [] : start), ...(isOwner ? [] : owner)];
    if (!isStart) chunk.code = readFromRegistry(chunk.code, read);
    const left = read.find(({ fileName }) => chunk.code.includes(`./${basename(fileName)}`));
    if (left !== undefined) throw new Error(`${chunk.fileName} still imports ${left.fileName}`);
  }
}

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
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The page is not built yet');
        const parts = partsOf(bundle);
        linkToScripts(bundle, parts);
        const emit = async (name: string, entry: string, chunks: readonly Chunk[]) => {
          const modules = chunks.map(({ fileName, code }) => [basename(fileName), code] as const);
          const source = await bundled(servedModules(entry, new Map(modules)));
          const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
          const fileName = `${folder}/${name}-${hash}.js`;
          this.emitFile({ type: 'asset', fileName, source });
          for (const chunk of chunks) delete bundle[chunk.fileName];
          return `/${fileName}`;
        };
        const { start, owner } = parts;
        const ownerAddress = await emit('owner', registrationOf(owner), owner);
        const entry = `${loaderOf(ownerAddress)}${registrationOf(start)}`;
        const address = await emit(entryName, entry, start);
        const html = String(page.source);
        if (!moduleTags.test(html)) throw new Error('The page loads no module');
        page.source = html.replace(moduleTags, `<script defer src="${address}"></script>\n    `);
      },
    },
  };
}
