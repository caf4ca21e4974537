import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import type * as Sdk from '../browser/sdk.ts';
import { installXmlHttpRequest } from './xml-http-request.ts';

export type BrowserSdk = typeof Sdk;

/** Vite resolves with browser conditions, so this is the build a page gets. */
export async function bundleForBrowser(file = '../browser/sdk.ts'): Promise<string> {
  const entry = fileURLToPath(new URL(file, import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'] } },
  });
  const [first] = Array.isArray(output) ? output : [output];
  const chunk = first !== undefined && 'output' in first ? first.output[0] : undefined;
  if (chunk === undefined) throw new Error('Vite built nothing.');
  return chunk.code;
}

/** The browser build in this process, talking through a shim of XMLHttpRequest. */
export async function importBrowserSdk(): Promise<BrowserSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-sdk-'));
  const file = join(folder, 'sdk.mjs');
  try {
    await writeFile(file, await bundleForBrowser());
    installXmlHttpRequest();
    const module: BrowserSdk = await import(pathToFileURL(file).href);
    return module;
  } finally {
    await rm(folder, { recursive: true });
  }
}
