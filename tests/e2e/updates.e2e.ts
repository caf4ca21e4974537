import type { Page } from 'playwright/test';
import { expect, test } from './app-copy.ts';
import { failedInstallation, limitRoom } from './full-device.ts';
import { composer, journal, openSyncedPet } from './owner.ts';

async function expectVersion(page: Page, name: string): Promise<void> {
  await expect(page.locator(`html[data-version="${name}"]`)).toHaveCount(1);
}

/** Checks for a new version, as the browser does from time to time. */
async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
}

/** Expects that the new worker fails to install. */
async function expectUpdateToFail(page: Page): Promise<void> {
  const state = page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing } = registration;
    if (installing === null) throw new Error('nothing new was found');
    return new Promise<string>((resolve) => {
      installing.addEventListener('statechange', () => resolve(installing.state));
    });
  });
  expect(await state).toBe('redundant');
}

function offer(page: Page) {
  return page.getByRole('button', { name: 'Update', exact: true });
}

/** Chromium gives a busy old worker five minutes to end, and no owner should wait for that. */
const takeOverMs = 60_000;

/** Accepts the update until the new version runs. The app offers it again if a tab was busy. */
async function agreeUntilTaken(page: Page, name: string): Promise<void> {
  await expect(async () => {
    if (await offer(page).isVisible()) await offer(page).click();
    await expect(page.locator(`html[data-version="${name}"]`)).toHaveCount(1, { timeout: 5_000 });
  }).toPass({ timeout: takeOverMs });
}

/** Has a page send requests to the server without a pause, from now on. */
function keepAsking(page: Page): Promise<void> {
  return page.evaluate(() => {
    const ask = async (): Promise<void> => {
      for (;;) await fetch('/__/health');
    };
    for (let count = 0; count < 20; count += 1) ask().catch(() => undefined);
  });
}

/** Returns the app shells that are cached on the device. */
function keptShells(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
    }
    return urls.filter((url) => url.includes('index.html'));
  });
}

test.describe.configure({ timeout: takeOverMs + 90_000 });

test('a new version waits until the owner agrees, and then all tabs have it', async ({
  newDevice,
  app,
}) => {
  const device = await newDevice();
  const one = await openSyncedPet(device);
  const two = await device.open('/pets');
  await expect(two.getByRole('heading', { name: 'My Dogs' })).toBeVisible();

  await app.release('next');
  await lookForUpdate(one);
  await expect(one.getByText('A new version of PawPals is ready.')).toBeVisible();
  await expect(offer(two)).toBeVisible();
  await expect.poll(() => keptShells(one)).toHaveLength(2);
  await one.reload();
  await expect(one.locator('html[data-version]')).toHaveCount(0);

  await agreeUntilTaken(one, 'next');
  await expectVersion(two, 'next');
  await expect(offer(one)).toHaveCount(0);
  await expect(one.getByRole('heading', { name: 'Bramble' })).toBeVisible();
  // The new version deletes the old one's cache after it has activated.
  await expect.poll(() => keptShells(one)).toHaveLength(1);
});

test('an update interrupts no writing in any tab', async ({ newDevice, app }) => {
  const device = await newDevice();
  const one = await openSyncedPet(device);
  const two = await device.open('/pets/new');
  await two.getByRole('textbox', { name: 'Pet Name' }).fill('Half a na');

  await app.release('next');
  await lookForUpdate(one);
  await offer(one).click();
  await expect(one.getByText('Something is written and not sent yet.')).toBeVisible();
  await expect(one.locator('html[data-version]')).toHaveCount(0);
  await expect(two.getByRole('textbox', { name: 'Pet Name' })).toHaveValue('Half a na');

  await two.getByRole('textbox', { name: 'Pet Name' }).fill('');
  await composer(one).fill('half a thought');
  await offer(one).click();
  await expect(one.getByText('Something is written and not sent yet.')).toBeVisible();
  await composer(one).press('Enter');
  await expect(journal(one).getByText('half a thought')).toBeVisible();
  await agreeUntilTaken(one, 'next');
  await expect(journal(one).getByText('half a thought')).toHaveCount(1);
});

test('a new version takes over at once while a page keeps sending requests', async ({
  newDevice,
  app,
}) => {
  const device = await newDevice();
  const page = await openSyncedPet(device);
  await app.release('next');
  await lookForUpdate(page);
  await expect(offer(page)).toBeVisible();
  await keepAsking(page);
  await agreeUntilTaken(page, 'next');
});

test.describe('on a full device', () => {
  // The installation that fails is what the test provokes.
  test.use({ expectedErrors: failedInstallation });

  test('the device is full while a new version is fetched: the old one goes on, and the new one comes later', async ({
    backend,
    newDevice,
    app,
  }) => {
    const device = await newDevice();
    const room = await limitRoom(device.context, backend.url);
    const page = await openSyncedPet(device);
    await room.fill(page);
    await app.release('next');
    await expectUpdateToFail(page);
    await expect(offer(page)).toHaveCount(0);
    await device.context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Bramble' })).toBeVisible();
    await expect(page.locator('html[data-version]')).toHaveCount(0);

    await device.context.setOffline(false);
    await room.empty(page);
    await lookForUpdate(page);
    await agreeUntilTaken(page, 'next');
    await expect(page.getByRole('heading', { name: 'Bramble' })).toBeVisible();
  });
});

test('an update that was not accepted takes over at the next start, also without a connection', async ({
  newDevice,
  app,
}) => {
  const device = await newDevice();
  const page = await openSyncedPet(device);
  const profile = page.url();
  await app.release('next');
  await lookForUpdate(page);
  await expect(offer(page)).toBeVisible();
  await page.close();

  await device.context.setOffline(true);
  const next = await device.open(profile);
  await expectVersion(next, 'next');
  await expect(next.getByRole('heading', { name: 'Bramble' })).toBeVisible();
  await expect(offer(next)).toHaveCount(0);
});
