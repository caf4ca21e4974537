import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll } from 'vitest';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const cache = pathOf('../../../.cache');

/**
 * The command line and the open server in a few files of JavaScript, removed after the last test of the file: loading the
 * sources one by one takes longer than all the rest of a start, and some tests start twenty. Packages stay outside.
 */
export async function buildServers(): Promise<{ readonly main: string; readonly open: string }> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'test-servers-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
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
        input: { main: pathOf('../../src/main.ts'), open: pathOf('open-server.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  await cp(pathOf('../../src/http/account-chooser'), join(folder, 'account-chooser'), {
    recursive: true,
  });
  return { main: join(folder, 'main.mjs'), open: join(folder, 'open.mjs') };
}
