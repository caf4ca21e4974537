import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { build } from 'vite';
import { createBackend } from '../../backend/src/server.ts';
import type * as Page from './google-popup-page.ts';
import { browserArgs } from '../support/browser-args.ts';

declare global {
  interface Window {
    page: typeof Page;
    outcome: Promise<unknown>;
    isPopupClosed?: boolean;
    newAccounts?: number;
  }
}

const chooserCode = 'ABCDE23456';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawpals-google-'));
  const entry = fileURLToPath(new URL('google-popup-page.ts', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      outDir: join(folder, 'dist/static'),
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => 'page.js' },
    },
  });
  const start = "import * as page from '/static/page.js'; window.page = page;";
  await mkdir(join(folder, 'dist/static'), { recursive: true });
  await writeFile(join(folder, 'dist/static/start.js'), start);
  await writeFile(
    join(folder, 'dist/index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/static/start.js"></script>',
  );
  const executablePath = process.env['PAWPALS_BROWSER'] ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: [...browserArgs] });
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page of the backend, and collects the requests and errors of its whole browser. */
async function setUp() {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const staticDir = join(folder, 'dist');
  const backend = await createBackend({ dataDir, staticDir, passwordCost: 1024, chooserCode });
  const context = await browser.newContext();
  const url = `${backend.url}/emulator/auth/`;
  await context.addCookies([{ name: 'pawpals-chooser', value: chooserCode, url }]);
  onTestFinished(async () => {
    await context.close();
    await backend.stop();
  });
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(backend.url);
  await page.waitForFunction(() => 'page' in window);
  const press = async () => {
    await page.evaluate(() => window.page.auth.prepareGoogle());
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(() => {
        window.outcome = window.page.auth
          .signInWithGoogle(
            { keepSignedIn: true },
            {
              onClosed: () => {
                window.isPopupClosed = true;
              },
              onNewAccount: () => {
                window.newAccounts = (window.newAccounts ?? 0) + 1;
              },
            },
          )
          .then(
            ({ email, displayName }) => ({ email, displayName }),
            (error: { readonly code?: string }) => error.code,
          );
      }),
    ]);
    await popup.waitForLoadState();
    return popup;
  };
  const outcome = () => page.evaluate(() => window.outcome);
  return { backend, page, press, outcome, requests, complaints };
}

describe('the popup of Google, with the account chooser of the backend', () => {
  it('signs in with a typed account, then with the offered one, and contacts no other host', async () => {
    const { backend, page, press, outcome, requests, complaints } = await setUp();
    await page.context().clearCookies();
    const first = await press();
    await first.getByLabel('Code').fill(chooserCode.toLowerCase());
    await first.getByRole('button', { name: 'Continue' }).click();
    await first.getByLabel('Email').fill('Robin@example.com');
    await first.getByLabel('Name').fill('Robin Fielding');
    const closed = first.waitForEvent('close');
    await first.getByRole('button', { name: 'Continue' }).click();
    const robin = { email: 'robin@example.com', displayName: 'Robin Fielding' };
    expect(await outcome()).toEqual(robin);
    await closed;

    const second = await press();
    await second.getByRole('button', { name: 'Robin Fielding' }).click();
    expect(await outcome()).toEqual(robin);
    expect(await page.evaluate(() => window.newAccounts)).toBe(1);

    expect([...new Set(requests.map((each) => new URL(each).origin))]).toEqual([backend.url]);
    expect(complaints).toEqual([]);
  });

  it('can be used by keyboard alone, and names its fields', async () => {
    const { press, outcome } = await setUp();
    const popup = await press();
    expect(await popup.locator('html').getAttribute('lang')).toBe('en');
    await popup.getByLabel('Email').focus();
    // The text is no address yet, so the browser reports it and sends nothing.
    await popup.keyboard.type('robin');
    await popup.keyboard.press('Enter');
    await popup.keyboard.type('@example.com');
    await popup.keyboard.press('Tab');
    await popup.keyboard.type('Robin');
    await popup.keyboard.press('Enter');
    expect(await outcome()).toMatchObject({ email: 'robin@example.com' });
  });

  it('works by redirect too, and returns to its own origin only', async () => {
    const { backend, page, complaints } = await setUp();
    await page.evaluate(() => void window.page.openRedirect().leave());
    await page.waitForURL(/emulator\/auth\/handler/);
    const leavingUrl = page.url();
    await page.getByLabel('Email').fill('robin@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(backend.url);
    await page.waitForFunction(() => 'page' in window);
    expect(await page.evaluate(() => window.page.openRedirect().result())).toBe(
      'robin@example.com',
    );
    const elsewhere = new URL(leavingUrl);
    elsewhere.searchParams.set('redirectUrl', 'https://evil.example/');
    await page.goto(elsewhere.href);
    await page.getByLabel('Email').fill('robin@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This page may not be returned to.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('closed by the user is auth/popup-closed-by-user, and can be opened again', async () => {
    const { page, press, outcome, complaints } = await setUp();
    const popup = await press();
    const closed = popup.waitForEvent('close');
    const cancel = popup.getByRole('button', { name: 'Cancel' });
    // The click may reject, because its page is closed before it ends.
    await Promise.all([closed, cancel.click().catch(() => undefined)]);
    await page.clock.runFor(1_000);
    expect(await page.evaluate(() => window.isPopupClosed)).toBe(true);
    // The SDK checks every two seconds whether the popup is closed, and then waits for eight seconds.
    await page.clock.runFor(12_000);
    expect(await outcome()).toBe('auth/popup-closed-by-user');
    const again = await press();
    await again.getByLabel('Email').fill('robin@example.com');
    await again.getByRole('button', { name: 'Continue' }).click();
    expect(await outcome()).toMatchObject({ email: 'robin@example.com' });
    expect(complaints).toEqual([]);
  });
});
