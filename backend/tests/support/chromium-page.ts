import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { onTestFinished } from 'vitest';

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** A built app that is the SDK and nothing else; resolves to its folder. */
export async function writeSdkPage(folder: string, bundle: string): Promise<string> {
  const dist = join(folder, 'dist');
  await mkdir(join(dist, 'static'), { recursive: true });
  await writeFile(
    join(dist, 'index.html'),
    '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/static/start.js"></script>',
  );
  const start = "import * as sdk from '/static/sdk.js'; window.sdk = sdk;";
  await writeFile(join(dist, 'static/start.js'), start);
  await writeFile(join(dist, 'static/sdk.js'), bundle);
  return dist;
}

/** In a browser profile of its own. */
export async function openSdkPage(browser: Browser, port: number): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.waitForFunction(() => 'sdk' in window);
  return page;
}
