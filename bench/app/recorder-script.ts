import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const input = fileURLToPath(new URL('recorder.ts', import.meta.url));

/** Builds the recorder as a script that can run before a page's own scripts. @returns its path. */
export async function buildRecorder(outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      target: 'es2022',
      rolldownOptions: { input, output: { format: 'iife', entryFileNames: 'recorder.js' } },
    },
  });
  return join(outDir, 'recorder.js');
}
