import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, requireNode } from './install.mjs';

requireNode();
ensureInstalled();
process.env.PAWPALS_BROWSER = ensureBrowser();

const { register } = await import('tsx/esm/api');
register();
const { bench } = await import('../bench/main.ts');
await bench(process.argv.slice(2));
