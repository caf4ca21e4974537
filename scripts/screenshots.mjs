import { join } from 'node:path';
import { ensureBrowser } from './machine/browser.mjs';
import { buildApp, buildServer } from './bundle/builds.mjs';
import { ensureInstalled, requireNode, root } from './machine/install.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
if ((buildApp() || buildServer()) !== 0) process.exit(1);

const { register } = await import('tsx/esm/api');
register();
const { copyReadmePictures, takeScreenshots } = await import('../tests/scenes/screenshots.ts');
if (process.argv.includes('--manifest')) {
  const { takeManifestPictures } = await import('../tests/scenes/manifest-pictures.ts');
  await takeManifestPictures(join(root, 'public'), browser);
  process.exit(0);
}
const folder = join(root, 'screenshots');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isEverySize = process.argv.includes('--every-size');
await takeScreenshots(folder, browser, { only, isEverySize });
if (process.argv.includes('--readme'))
  await copyReadmePictures(folder, join(root, 'docs/pictures'));
console.log(`Look at them in ${folder}`);
