import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, onTestFinished } from 'vitest';
import { browserArgs } from '../../../../tests/support/browser-args.ts';

/** One browser for the tests of a file. */
export function launchChromium(): Promise<Browser> {
  const launched = chromium.launch({
    executablePath: process.env['PAWPALS_BROWSER'] ?? '/usr/bin/chromium',
    args: [...browserArgs],
  });
  afterAll(async () => (await launched).close());
  return launched;
}

/** A page that loads `/static/start.js`, as a folder the backend can serve. */
export async function writePage(
  folder: string,
  scripts: Readonly<Record<string, string>>,
): Promise<string> {
  const dist = join(folder, 'dist');
  await mkdir(join(dist, 'static'), { recursive: true });
  await writeFile(
    join(dist, 'index.html'),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/static/start.js"></script>',
  );
  for (const [name, content] of Object.entries(scripts)) {
    await writeFile(join(dist, 'static', name), content);
  }
  return dist;
}

/** A page that is the SDK and nothing else: `window.sdk`. */
export const writeSdkPage = (folder: string, bundle: string): Promise<string> =>
  writePage(folder, {
    'start.js': "import * as sdk from '/static/sdk.js'; window.sdk = sdk;",
    'sdk.js': bundle,
  });

/** A tab of a browser profile of its own, which ends with the test. */
export async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}
