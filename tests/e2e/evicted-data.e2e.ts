import type { Page, Route } from 'playwright/test';
import { expect, test, type Device } from './fixtures.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  news,
  openPet,
  openWithPet,
  register,
  submitSignIn,
  writeNote,
} from './owner.ts';

test.use({ isFirstVisit: true });

/** Clears the databases while nothing of the app runs, as a browser that is short of space does. */
async function clearDatabases(device: Device, origin: string): Promise<void> {
  const page = await device.context.newPage();
  const session = await device.context.newCDPSession(page);
  // The close of the last page has woken the service worker to sync, so it is stopped before its data is cleared.
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await page.close();
}

test('cleared databases are detected and fetched again, and lost notes are reported', async ({
  newDevice,
  backend,
}) => {
  const device = await newDevice();
  let page = await device.open('/auth/register');
  const email = newEmail();
  await register(page, email);
  await addPet(page, 'Bramble');
  await writeNote(page, 'sent in time');
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'never sent');
  await writeNote(page, 'nor this');
  // The marker of the device lists what is unsent.
  await expect
    .poll(() =>
      page.evaluate(() => {
        const markers = Object.keys(localStorage).filter((key) => key.startsWith('pawpals:here:'));
        return markers.map((key) => JSON.parse(localStorage.getItem(key) ?? '').entries.length);
      }),
    )
    .toEqual([2]);
  await page.close();
  await clearDatabases(device, backend.url);

  page = await device.open('/pets');
  await expect(news(page)).toContainText('What was stored on this device is gone.');
  // Chromium up to 150 may report a new page as online; the app then notices the missing sign-in first.
  await expect(news(page)).toContainText(/with the next connection|Sign in again/);
  await device.context.setOffline(false);
  // The sign-in was stored in IndexedDB too.
  await expect(news(page)).toContainText('Sign in again, and your journal is fetched.');
  await page.getByRole('button', { name: /Sync details/ }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await submitSignIn(page, email);
  await expect(news(page)).toContainText(
    'Your journal is back. 2 notes that had not been sent are lost.',
  );
  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await openPet(page, 'Bramble');
  await expect(journal(page).getByText('sent in time')).toBeVisible();
  await page.reload();
  await expect(journal(page).getByText('sent in time')).toBeVisible();
  await expectSynced(page);
  await expect(news(page)).toHaveCount(0);
});

/** Ends the time before the hints of the splash screen appear. */
async function passTime(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
}

test('a start whose code comes slowly says so, and does not blame other tabs', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const held: Route[] = [];
  await device.context.route('**/static/js/start-*.js', (route) => void held.push(route));
  const page = await device.context.newPage();
  await page.goto('/auth/login', { waitUntil: 'commit' });
  const slow = page.getByText('The connection is slow');
  await expect(page.locator('.splash')).toBeVisible();
  await expect(slow).toBeHidden();
  await passTime(page);
  await expect(slow).toBeVisible();
  await expect(page.getByText('open in another tab')).toBeHidden();
  for (const route of held) await route.continue();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a start that another tab keeps waiting says what to do', async ({ newDevice }) => {
  const device = await newDevice();
  const page = await openWithPet(device, 'Bramble');
  await expectSynced(page);
  // The database does not open for the next page. A frozen tab can cause that, but headless Chromium does not freeze.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('waited') !== null) return;
    sessionStorage.setItem('waited', 'yes');
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name, version) => {
      const isAwaited = name.startsWith('pawpals-');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the request of a database that never opens
      return isAwaited ? (new EventTarget() as IDBOpenDBRequest) : open(name, version);
    };
  });

  await page.goto('/pets');
  const hint = page.getByText('If PawPals is open in another tab, close it');
  await expect(hint).toBeHidden();
  await passTime(page);
  await expect(hint).toBeVisible();
  await expect(page.getByText('The connection is slow')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Bramble' })).toBeVisible();
});
