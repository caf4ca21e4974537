import { ensureBrowser } from './machine/browser.mjs';
import { buildServer } from './bundle/builds.mjs';
import { ensureInstalled, requireNode } from './machine/install.mjs';

requireNode();
ensureInstalled();
process.env.PAWPALS_BROWSER = ensureBrowser();
if (buildServer() !== 0) process.exit(1);

const { register } = await import('tsx/esm/api');
register();
const { bench } = await import('../bench/main.ts');
await bench(process.argv.slice(2));
