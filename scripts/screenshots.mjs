import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';
import { build } from './steps.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
build();

const { register } = await import('tsx/esm/api');
register();
const { takeScreenshots } = await import('../tests/scenes/screenshots.ts');
const folder = join(root, 'screenshots');
await takeScreenshots(folder, browser, process.argv.slice(2));
console.log(`Look at them in ${folder}`);
