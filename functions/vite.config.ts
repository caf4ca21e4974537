import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { functionsLock } from '../scripts/deploy/functions-lock.ts';

/** Writes the lock file beside the folder of the bundle, from where both are uploaded. */
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

/** One file for the cloud, with our own folders in it; packages are installed there from package.json. */
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
