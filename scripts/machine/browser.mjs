import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installByApt } from './apt.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** @returns the path of a Chrome or Chromium on this machine, or null. `PAWPALS_BROWSER` takes precedence. */
function findBrowser(env = process.env) {
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((dir) => names.map((n) => join(dir, n)));
  const candidates = [env.PAWPALS_BROWSER, ...onPath, ...applications];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}

/** Finds a browser, or installs Debian's Chromium if possible, or exits with a message. @returns {string} */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  installByApt(['chromium'], 'the browser tests');
  const installed = findBrowser();
  if (installed) return installed;
  console.error(
    'The browser tests need Chrome or Chromium: install one, or set PAWPALS_BROWSER to its path.',
  );
  return process.exit(1);
}

/** @returns the browser's version string, such as "Chromium 156.0.7444.59". */
export function browserVersion(path) {
  // On Windows a browser opens a window instead of answering.
  if (process.platform === 'win32') return 'of unknown version';
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return stdout?.trim() || 'of unknown version';
}
