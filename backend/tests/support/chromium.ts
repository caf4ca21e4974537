import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { afterAll } from 'vitest';

/** One browser for the tests of a file. */
export function launchChromium(): Promise<Browser> {
  const launched = chromium.launch({
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
