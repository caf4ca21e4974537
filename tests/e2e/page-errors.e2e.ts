import type { Page } from 'playwright/test';
import { expect, test, type Device } from './fixtures.ts';
import { expectSynced, newEmail, openWithPet, register } from './owner.ts';

// React and the browser log the errors that the page has caught.
test.use({
  isFirstVisit: true,
  expectedErrors:
    /(screens|dialogs|owner)-|Loading chunk|dynamically imported module|fetching the script|Unexpected token/,
});

/** Removes the worker, whose cache has all code, and keeps it from being registered again. */
async function withoutWorker(device: Device, page: Page): Promise<void> {
  await device.context.route('**/sw.js', (route) => route.abort());
  await page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    for (const registration of registrations) await registration.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  });
}

async function registerWithoutWorker(device: Device): Promise<Page> {
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await withoutWorker(device, page);
  return page;
}

test('a page whose code cannot be loaded says so, and loads with the next attempt', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await registerWithoutWorker(device);
  await device.context.route('**/static/js/screens-*.js', (route) => route.abort());
  await page.goto('/help');
  await expect(page.getByRole('heading', { name: 'This page could not be loaded.' })).toBeVisible();
  await expect(page.getByText('It needs a connection once.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(page.getByText('Something went wrong.')).toHaveCount(0);

  await device.context.unroute('**/static/js/screens-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Customer Support' })).toBeVisible();
});

const portal = { contentType: 'text/html', body: '<!doctype html>Sign in to this network' };

test('an owner whose code cannot be loaded is told so, and gets it with a reload', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await registerWithoutWorker(device);
  await device.context.route('**/static/js/owner-*.js', (route) => route.abort());
  await page.goto('/pets');
  await expect(
    page.getByRole('heading', { name: /^PawPals could not be loaded whole/ }),
  ).toBeVisible();

  await device.context.unroute('**/static/js/owner-*.js');
  // A network that asks for a sign-in answers with a page of its own.
  await device.context.route('**/static/js/owner-*.js', (route) => route.fulfill(portal));
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(
    page.getByRole('heading', { name: /^PawPals could not be loaded whole/ }),
  ).toBeVisible();

  await device.context.unroute('**/static/js/owner-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
});

test('a page whose code is gone from the server reloads by itself once, and then says so', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await registerWithoutWorker(device);
  await device.context.route('**/static/js/screens-*.js', (route) =>
    route.fulfill({ status: 404 }),
  );
  let loads = 0;
  page.on('domcontentloaded', () => (loads += 1));
  await page.goto('/help');
  await expect(page.getByText('There is a newer version of PawPals')).toBeVisible();
  await expect.poll(() => loads).toBe(2);
  await page.goto('/help');
  await expect(page.getByText('There is a newer version of PawPals')).toBeVisible();
  expect(loads).toBe(3);
});

test('a part whose code cannot be loaded leaves the typed text, and loads on retry', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  await expectSynced(page);
  await withoutWorker(device, page);
  await device.context.route('**/static/js/dialogs-*.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('textbox', { name: 'Write a note' }).fill('half a thought');
  await page.getByRole('button', { name: /Sync details/ }).click();
  await expect(page.getByText('This part could not be loaded.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toHaveValue('half a thought');

  await device.context.unroute('**/static/js/dialogs-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  const sheet = page.getByRole('dialog', { name: 'Sync' });
  const reload = page.getByRole('button', { name: 'Reload' });
  await expect(sheet.or(reload)).toBeVisible();
  // Chromium up to 150 caches the failed import, so only a reload helps.
  if (await reload.isVisible()) {
    await reload.click();
    await page.getByRole('button', { name: /Sync details/ }).click();
  }
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toHaveValue('half a thought');
});

// The build has code that the unit tests have not, such as what its minifier leaves out.
test('an address that cannot be decoded leads to the list of dogs', async ({ newDevice }) => {
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await page.goto('/pets/%E0%A4%A/profile');
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expect(page).toHaveURL(/\/pets$/);
});
