import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { bundleAliases, bundleConditions } from '../../scripts/bundle/bundle-aliases.ts';
import { plainOrder } from '../../scripts/bundle/plain-order.ts';

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const pageRoot = fileURLToPath(new URL('../page', import.meta.url));

const pages = ['index.html', 'live.html', 'rivals.html'].map((name) => join(pageRoot, name));

/** Without these headers the browser rounds its clock to a tenth of a millisecond. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Builds the bench pages like the app, and serves them on a free port. */
export async function servePage(outDir: string): Promise<PageServer> {
  const shared = { configFile: false, root: pageRoot, logLevel: 'error' } as const;
  await build({
    ...shared,
    plugins: [plainOrder()],
    resolve: { conditions: bundleConditions, alias: bundleAliases(root) },
    build: { outDir, emptyOutDir: true, target: 'es2022', rolldownOptions: { input: pages } },
  });
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { port: 0, host: 'localhost', headers: isolation },
  });
  const url = server.resolvedUrls?.local[0];
  if (url === undefined) throw new Error('The bench page is not served');
  return { url, close: () => server.close() };
}
