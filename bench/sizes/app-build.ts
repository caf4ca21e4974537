import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bytesPerKilobyte = 1e3;
const scripts = 'static/js';

/** Makes the production build in a folder of its own, so that dist stays as it is. */
export async function buildApp(outDir: string): Promise<void> {
  await build({ root, logLevel: 'error', build: { outDir, emptyOutDir: true } });
}

/** Returns the size as a server sends it, in thousands of bytes. */
async function gzipKilobytes(file: string): Promise<number> {
  return gzipSync(await readFile(file), { level: 9 }).byteLength / bytesPerKilobyte;
}

export interface AppSizes {
  /** Kilobytes by file name, as `bell-4f2a.js`. */
  readonly scripts: ReadonlyMap<string, number>;
  readonly worker: number;
}

/** Returns the size of each script in a folder, by file name. */
export async function scriptKilobytes(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder);
  const sized = names
    .filter((name) => name.endsWith('.js'))
    .map(async (name) => [name, await gzipKilobytes(join(folder, name))] as const);
  return new Map(await Promise.all(sized));
}

export async function measureFiles(outDir: string): Promise<AppSizes> {
  return {
    scripts: await scriptKilobytes(join(outDir, scripts)),
    worker: await gzipKilobytes(join(outDir, 'sw.js')),
  };
}
