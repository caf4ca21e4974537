import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { functionsLock } from '../scripts/deploy/functions-lock.ts';

/** Writes the lock file to the folder of the functions, from which it is uploaded with the bundle. */
function lockFile(): Plugin {
  let folder = '';
  return {
    name: 'lock-file',
    configResolved: ({ root, build }) => {
      folder = dirname(resolve(root, build.outDir));
    },
    closeBundle: async () => {
      const rootLock = await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8');
      await writeFile(join(folder, 'package-lock.json'), functionsLock(rootLock, 'functions'));
    },
  };
}

/** Bundles this repository's folders into one file for the cloud, which installs the packages from package.json. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [lockFile()],
  build: {
    ssr: 'src/index.ts',
    outDir: 'dist',
    target: 'node22',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'index.js' } },
  },
});
