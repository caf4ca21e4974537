import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

/** Files that all tests of the project use, built once for them. */
export interface BuiltFiles {
  /** The backend's command line. */
  readonly main: string;
  /** The backend under open rules. */
  readonly open: string;
  /** The backend under watch, as it is fuzzed. */
  readonly fuzz: string;
  /** The SDK as a page loads it: its browser build. */
  readonly sdk: string;
  /** The page of the conformance cases. */
  readonly conformance: string;
}

declare module 'vitest' {
  // Vitest wants this very interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    readonly builtFiles: BuiltFiles;
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cache = pathOf('../../../../.cache');

/** Bundles the sources to a few files, because loading them one by one dominates the start. Packages stay external. */
const buildServers = async (folder: string): Promise<void> => {
  await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: {
      ssr: true,
      outDir: folder,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: {
          main: pathOf('../../../src/main.ts'),
          open: pathOf('open-server.ts'),
          fuzz: pathOf('../../fuzz/supervised/fuzz-server.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  const chooser = 'account-chooser';
  await cp(pathOf(`../../../src/http/chooser/${chooser}`), join(folder, chooser), {
    recursive: true,
  });
};

/** Vite resolves with browser conditions, so this is the build a page gets. */
async function buildForBrowser(entry: string, outDir: string, fileName: string): Promise<void> {
  const lib = { entry: pathOf(entry), formats: ['es' as const], fileName: () => fileName };
  await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    build: { outDir, emptyOutDir: false, minify: false, target: 'es2022', lib },
  });
}

/** Vitest runs it before the first test of the project. @returns what it runs after the last. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'built-for-tests-'));
  await buildServers(folder);
  await buildForBrowser('../../browser/sdk.ts', folder, 'sdk.mjs');
  await buildForBrowser('../../conformance/page.ts', folder, 'conformance.mjs');
  const inFolder = (name: string): string => join(folder, `${name}.mjs`);
  provide('builtFiles', {
    main: inFolder('main'),
    open: inFolder('open'),
    fuzz: inFolder('fuzz'),
    sdk: inFolder('sdk'),
    conformance: inFolder('conformance'),
  });
  return () => rm(folder, { recursive: true, force: true });
}
