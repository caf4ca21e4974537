import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const chooser = join(root, 'backend/src/http/chooser/account-chooser');

/** Copies the pages of the account chooser, which the backend reads from a folder beside its code. */
const accountChooserPages: Plugin = {
  name: 'account-chooser-pages',
  async buildStart() {
    for (const name of await readdir(chooser)) {
      const source = await readFile(join(chooser, name));
      this.emitFile({ type: 'asset', fileName: `account-chooser/${name}`, source });
    }
  },
};

/**
 * Bundles the server of `npm start`, and the backend alone, into a few files: loading the sources one by one takes
 * three times as long as the rest of a start. Packages stay external.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [accountChooserPages],
  build: {
    ssr: true,
    ssrEmitAssets: true,
    outDir: '.cache/server',
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { serve: 'scripts/serve/serve.ts', backend: 'backend/src/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
