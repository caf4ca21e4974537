import type { Page } from 'playwright/test';
import { expect, ownBackendTest, refusedProbe, test, type SharedBackend } from './fixtures.ts';
import { addPet, expectSynced } from './owner.ts';

test.use({ serviceWorkers: 'block' });

/** Opens the account chooser in a browser that has to enter its code. */
async function pressGoogle(page: Page, backend: SharedBackend): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  const popup = await opened;
  await popup.getByLabel('Code').fill(backend.chooserCode());
  await popup.getByRole('button', { name: 'Continue' }).click();
  return popup;
}

/** Presses a button that closes the window, which may be gone before Playwright reports the click. */
async function pressLast(popup: Page, name: string): Promise<void> {
  const closed = popup.waitForEvent('close');
  try {
    await popup.getByRole('button', { name }).click();
  } catch (error) {
    if (!popup.isClosed()) throw error;
  }
  await closed;
}

// The window lists every account of the server, so the test needs its own.
ownBackendTest(
  'the Google window signs in, leads to the requested page, and contacts no other host',
  async ({ backend, newDevice }) => {
    const device = await newDevice();
    const origins = new Set<string>();
    device.context.on('request', (request) => {
      if (!refusedProbe.test(request.url())) origins.add(new URL(request.url()).origin);
    });
    const page = await device.open('/settings');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

    const popup = await pressGoogle(page, backend);
    await popup.getByLabel('Email').fill('robin@example.com');
    await popup.getByLabel('Name').fill('Robin Fielding');
    await pressLast(popup, 'Continue');
    await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
    await expect(page.getByText('Robin Fielding')).toBeVisible();
    await addPet(page, 'Bramble');
    await expectSynced(page);

    const other = await (await newDevice()).open('/auth/login');
    const chooser = await pressGoogle(other, backend);
    await pressLast(chooser, 'Robin Fielding');
    await expect(other.getByRole('link', { name: /Bramble/ })).toBeVisible();
    expect([...origins]).toEqual([backend.url]);
  },
);

ownBackendTest(
  'a new Google account starts at the list of dogs, whichever page was requested',
  async ({ backend, newDevice }) => {
    const page = await (await newDevice()).open('/pets/somebodys-dog/profile');
    const popup = await pressGoogle(page, backend);
    await popup.getByLabel('Email').fill('robin@example.com');
    await popup.getByLabel('Name').fill('Robin Fielding');
    await pressLast(popup, 'Continue');
    await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  },
);

test('a closed Google window is no failure', async ({ backend, newDevice }) => {
  const { context } = await newDevice();
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/auth/login');
  const popup = await pressGoogle(page, backend);
  await pressLast(popup, 'Cancel');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  // The SDK reports a closed window ten seconds later.
  await page.clock.runFor(15_000);
  await page.getByRole('textbox', { name: 'Email' }).fill('robin@example.com');
  await expect(page.getByRole('alert')).toHaveCount(0);
});
