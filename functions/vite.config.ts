import { defineConfig } from 'vite';

/** One file for the cloud, with our own folders in it; packages are installed there from package.json. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ssr: 'src/index.ts',
    outDir: 'dist',
    target: 'node22',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'index.js' } },
  },
});
