import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright/test';
import { neverIdle } from '../support/setups/never-idle.ts';
import { expect, test, type Device } from './fixtures.ts';
import { addPet, expectSynced, newEmail, register, writeNote } from './owner.ts';

test.use({ isFirstVisit: true });

/**
 * Budgets in gzipped bytes; a kB is 1,000 bytes. The page's budget excludes code that only the native wrapper loads,
 * and the search worker, which has its own.
 */
const budgets = {
  firstView: 175_000,
  bell: 80_000,
  page: 500_000,
  search: 12_000,
  worker: 130_000,
};

const dist = new URL('../../dist/', import.meta.url).pathname;
const scripts = join(dist, 'static/js');

async function gzipBytes(path: string): Promise<number> {
  return gzipSync(await readFile(path)).length;
}

async function sumOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map((name) => gzipBytes(join(scripts, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('the first view of a returning owner loads little code, and none of auth or sync', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const first = await device.open('/auth/register');
  await register(first, newEmail());
  await addPet(first, 'Bramble');
  await expectSynced(first);
  const profile = first.url();
  await first.close();

  await expectLight(device, '/pets', (page) => page.getByRole('link', { name: /Bramble/ }));
  await expectLight(device, profile, (page) => page.getByRole('textbox', { name: 'Write a note' }));
});

async function expectLight(
  device: Device,
  path: string,
  content: (page: Page) => Locator,
): Promise<void> {
  const page = await device.context.newPage();
  await page.addInitScript(neverIdle);
  const names: string[] = [];
  page.on('response', (response) => {
    const name = /\/static\/js\/([^/?]+\.js)/.exec(response.url())?.[1];
    if (name !== undefined) names.push(name);
  });
  await page.goto(path);
  await expect(content(page)).toBeVisible();

  const loaded = [...new Set(names)];
  expect(loaded.some((name) => name.startsWith('start-'))).toBe(true);
  expect(loaded.some((name) => name.startsWith('owner-'))).toBe(true);
  expect(loaded.filter((name) => /^(firebase|bell|sync|dialogs|later)/.test(name))).toEqual([]);
  const bytes = await sumOf(loaded);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes, `${path}: ${bytes} bytes of ${loaded.join(', ')}`).toBeLessThanOrEqual(
    budgets.firstView,
  );
  await page.close();
}

test('before any code is loaded, the page shows the app’s name', async ({ newDevice }) => {
  const { context } = await newDevice();
  const page = await context.newPage();
  // The requests are never answered.
  await page.route('**/static/js/*', () => undefined);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByText('PawPals', { exact: true })).toBeVisible();
});

test('a signed-out visitor does not load code that only an owner needs', async ({ newDevice }) => {
  const { context } = await newDevice();
  const page = await context.newPage();
  await page.addInitScript(neverIdle);
  const urls: string[] = [];
  page.on('response', (response) => urls.push(response.url()));
  await page.goto('/auth/login');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(urls.some((url) => url.includes('/start-'))).toBe(true);
  expect(urls.filter((url) => /\/(owner|sync)-/.test(url))).toEqual([]);
});

test('no export of the classic scripts changes, since later code has its initial value', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await device.open('/auth/register');
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  expect(html).not.toContain('type="module"');
  const exported = await page.evaluateHandle(async () => {
    await Reflect.get(globalThis, 'pawpalsOwner')();
    const all: object = Reflect.get(globalThis, 'pawpalsStart');
    return Object.entries(all).map(([file, values]) => [file, { ...values }] as const);
  });

  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await writeNote(page, 'By the river');
  await expectSynced(page);
  await page.getByRole('button', { name: 'Sync details' }).click();
  await expect(page.getByRole('dialog', { name: 'Sync' })).toBeVisible();

  const { files, count, changed } = await exported.evaluate((initial) => {
    const all: unknown = Reflect.get(globalThis, 'pawpalsStart');
    const values = initial.flatMap(([file, before]) => {
      const now: unknown = Reflect.get(Object(all), file);
      return Object.keys(before).map((name) => ({
        name: `${file} ${name}`,
        isSame: Reflect.get(Object(now), name) === Reflect.get(before, name),
      }));
    });
    const names = values.filter(({ isSame }) => !isSame).map(({ name }) => name);
    return { files: initial.length, count: values.length, changed: names };
  });
  // The page's script, and an owner's.
  expect(files).toBe(2);
  expect(count).toBeGreaterThan(200);
  expect(changed).toEqual([]);
});

test('the bell, the whole page, the search and the worker keep to their budgets', async () => {
  const names = (await readdir(scripts)).filter((name) => name.endsWith('.js'));
  const bells = names.filter((name) => name.startsWith('bell-'));
  expect(bells).toHaveLength(1);
  expect(await sumOf(bells)).toBeLessThanOrEqual(budgets.bell);
  const ofSearch = names.filter((name) => name.startsWith('search-worker-'));
  expect(ofSearch).toHaveLength(1);
  expect(await sumOf(ofSearch)).toBeLessThanOrEqual(budgets.search);
  const ofPage = names.filter((name) => !/^(native|search-worker)-/.test(name));
  expect(ofPage).toHaveLength(names.length - 2);
  expect(await sumOf(ofPage)).toBeLessThanOrEqual(budgets.page);
  expect(await gzipBytes(join(dist, 'sw.js'))).toBeLessThanOrEqual(budgets.worker);
});

test('the worker has no dynamic import, which would keep it from being registered', async () => {
  const worker = await readFile(join(dist, 'sw.js'), 'utf8');
  expect(worker.length).toBeGreaterThan(1_000);
  expect(worker).not.toContain('import.meta');
  expect(worker).not.toMatch(/\bimport\(/);
});
