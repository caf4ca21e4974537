import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { buildApp, buildServer } from './builds.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
if ((buildApp() || buildServer()) !== 0) process.exit(1);

const { register } = await import('tsx/esm/api');
register();
const { takeScreenshots } = await import('../tests/scenes/screenshots.ts');
const folder = join(root, 'screenshots');
await takeScreenshots(folder, browser, process.argv.slice(2));
console.log(`Look at them in ${folder}`);
