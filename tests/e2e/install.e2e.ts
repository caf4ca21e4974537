import { browserArgs } from '../support/browser-args.ts';
import { expect, test } from './fixtures.ts';
import type { Page } from 'playwright/test';
import {
  addPet,
  discardAndSignOut,
  expectSynced,
  goOffline,
  newEmail,
  openWithPet,
  register,
  waitForOfflineReady,
  writeNote,
} from './owner.ts';
import { createLastingBrowser } from './voice.ts';

test.use({ isFirstVisit: true });

test('the browser reports no installability error', async ({ backend }) => {
  // The profile is persistent, because nothing can be installed from a private window.
  const browser = await createLastingBrowser(backend.url, browserArgs);
  const { context, page } = await browser.open();
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await waitForOfflineReady(page);
  const session = await context.newCDPSession(page);
  const { errors, data, url } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(new URL(url).pathname).toBe('/manifest.webmanifest');
  expect(data).toContain('share_target');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  await browser.dispose();
});

/**
 * Fires `beforeinstallprompt`, as a browser does where the app can be installed. @returns a function that counts the
 * prompts.
 */
async function offerInstallation(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    Reflect.set(window, 'askedToInstall', 0);
    Reflect.set(event, 'prompt', async () => {
      Reflect.set(window, 'askedToInstall', Number(Reflect.get(window, 'askedToInstall')) + 1);
    });
    window.dispatchEvent(event);
  });
  return () => page.evaluate(() => Reflect.get(window, 'askedToInstall'));
}

test('the app can be installed from the menu, while the browser offers it', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.goto('/settings');
  const entry = page.getByRole('button', { name: 'Install app' });
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expect(entry).toHaveCount(0);
  const asked = await offerInstallation(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Install app' }).click();
  expect(await asked()).toBe(1);
  await expect(entry).toHaveCount(0);

  await page.keyboard.press('Escape');
  await offerInstallation(page);
  await expect(entry).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
  await expect(entry).toHaveCount(0);
});

test('the invitation comes on My Dogs after three notes, once', async ({ newDevice }) => {
  const page = await openWithPet(await newDevice());
  for (const text of ['First', 'Second', 'Third']) await writeNote(page, text);
  const asked = await offerInstallation(page);
  const invitation = page.getByRole('alert').filter({ hasText: 'home screen' });
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeFocused();
  await writeNote(page, 'Fourth');
  await expectSynced(page);
  // It is not awaited, since the invitation goes by itself.
  expect(await invitation.count()).toBe(0);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(invitation).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await page.reload();
  await offerInstallation(page);
  await page
    .getByRole('link', { name: /Bramble/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expect(invitation).toHaveCount(0);
  expect(await asked()).toBe(0);
});

test('the badge counts what is unsent, also after a start without a connection', async ({
  newDevice,
}) => {
  const device = await newDevice();
  await device.context.addInitScript(() => {
    if (location.protocol === 'http:') localStorage.removeItem('badge');
    const set = async (count: number) => {
      localStorage.setItem('badge', String(count));
    };
    Object.assign(navigator, { setAppBadge: set, clearAppBadge: () => set(0) });
  });
  const page = await openWithPet(device);
  const badge = () => page.evaluate(() => localStorage.getItem('badge'));
  await expectSynced(page);
  await expect.poll(badge).toBe('0');
  await goOffline(page);
  await writeNote(page, 'First');
  await writeNote(page, 'Second');
  await expect.poll(badge).toBe('2');
  await page.reload();
  await expect.poll(badge).toBe('2');
  await page.context().setOffline(false);
  await expect.poll(badge).toBe('0');

  await goOffline(page);
  await writeNote(page, 'Third');
  await expect.poll(badge).toBe('1');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await discardAndSignOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(badge).toBe('0');
});
