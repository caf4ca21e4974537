import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, writePage } from '../support/clients/chromium.ts';
import { bundleForBrowser } from '../support/clients/sdk-bundle.ts';
import { testTls } from '../support/servers/test-tls.ts';
import { sharedFolder, startSharedBackend } from '../support/servers/start-backend.ts';
import { documentCases } from './document-cases.ts';
import { listenCases } from './listen-cases.ts';
import { openRules } from '../support/rules-fixture.ts';
import './page-window.ts';
import { queryCases } from './query-cases.ts';

const chromium = launchChromium();
const backend = startSharedBackend(pageOptions(sharedFolder()));
let page: Page;

async function pageOptions(folder: Promise<string>) {
  const bundle = await bundleForBrowser('conformance');
  return {
    tls: await testTls(),
    firestoreRules: openRules,
    staticDir: await writePage(await folder, { 'start.js': bundle }),
  };
}

beforeAll(async () => {
  page = await (await chromium).newPage({ ignoreHTTPSErrors: true });
  await page.goto((await backend).url);
  await page.waitForFunction(() => 'conformance' in window);
});

const run = (name: string, isLite: boolean) =>
  page.evaluate(([each, lite]) => window.conformance.run(each, lite), [name, isLite] as const);

it('the page has come over HTTP/2', async () => {
  const version = page.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON());
  expect(await version).toMatchObject({ nextHopProtocol: 'h2' });
});

/** The cases run concurrently over HTTP/2, since a few listening clients use up the six connections of HTTP/1.1. */
describe('the SDK in Chromium', () => {
  it.concurrent.each([...documentCases, ...queryCases, ...listenCases])(
    '$name',
    async ({ name }) => {
      await expect(run(name, false)).resolves.toBeUndefined();
    },
  );
});

describe('firebase/firestore/lite in Chromium', () => {
  it.concurrent.each([...documentCases, ...queryCases])('$name', async ({ name }) => {
    await expect(run(name, true)).resolves.toBeUndefined();
  });
});
