import { expect, type Locator, type Page } from 'playwright/test';
import type { Device, SharedBackend } from './fixtures.ts';

/** What an owner does, by the names a person or a screen reader would use. */

export const password = 'Walkies-4-all';

export function newEmail(): string {
  return `owner-${crypto.randomUUID()}@example.com`;
}

/** Loads that page unless the tab shows it already. */
export async function visit(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname !== path) await page.goto(path);
}

export async function register(page: Page, email: string): Promise<void> {
  await visit(page, '/auth/register');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
}

/** An owner who has registered somewhere else. */
export async function createAccount({ url }: SharedBackend, email: string): Promise<void> {
  const address = `${url}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=embedded`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  expect(response.status).toBe(200);
}

/** Whatever comes of it. */
export async function submitSignIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signIn(page: Page, email: string): Promise<void> {
  await visit(page, '/auth/login');
  await submitSignIn(page, email);
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
}

/** A new owner on that device, at the profile of their dog. */
export async function openWithPet(
  device: Device,
  name = 'Bramble',
  email = newEmail(),
): Promise<Page> {
  const page = await device.open('/auth/register');
  await register(page, email);
  await addPet(page, name);
  return page;
}

/** The same, synced and ready to go offline. */
export async function openSyncedPet(device: Device, email = newEmail()): Promise<Page> {
  const page = await openWithPet(device, 'Bramble', email);
  await expectSynced(page);
  await waitForOfflineReady(page);
  return page;
}

/** Signs the owner of that dog in on that device. */
export async function openOnSecondDevice(device: Device, email: string): Promise<Page> {
  const page = await device.context.newPage();
  await signIn(page, email);
  await openPet(page, 'Bramble');
  return page;
}

/** Leaves the page at the new dog's profile. */
export async function addPet(page: Page, name: string): Promise<void> {
  await visit(page, '/pets');
  await page.getByRole('link', { name: /^(Add dog|Get started)$/ }).click();
  await page.getByRole('textbox', { name: 'Pet Name' }).fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

export async function openPet(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await expect(composer(page)).toBeVisible();
}

export async function writeNote(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await expect(journal(page).getByText(text, { exact: true })).toBeVisible();
}

/** Also if the element is replaced meanwhile, as a note that is sent is by the one that is stored. */
export async function scrollTo(element: Locator): Promise<void> {
  await expect(() => element.scrollIntoViewIfNeeded({ timeout: 1_000 })).toPass();
}

export function composer(page: Page) {
  return page.getByRole('textbox', { name: 'Write a note' });
}

/** The toasts. */
export function news(page: Page) {
  return page.locator('[data-toast]');
}

export function journal(page: Page) {
  return page.getByRole('list', { name: 'Journal' });
}

/** Every note shown is durable: a reload or a crash may come. */
export async function expectNothingSaving(page: Page): Promise<void> {
  await expect(journal(page).getByText('Saving', { exact: true })).toHaveCount(0);
}

/** Whatever comes of it. */
export async function pressSignOut(page: Page): Promise<void> {
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
}

export function status(page: Page) {
  return page.getByRole('status', { name: 'Sync status' });
}

/** Also what was written a moment ago: the status may still be that of before it. */
export async function expectSynced(page: Page): Promise<void> {
  const unsent = journal(page).getByText(/^(Saving|On this device|Uploading)$/);
  await expect(unsent).toHaveCount(0);
  await expect(status(page)).toHaveText('Synced');
}

/** The worker has the whole app and answers this page, so that nothing of it needs a network. */
export async function waitForOfflineReady(page: Page): Promise<void> {
  const isAnswered = await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active === null) throw new Error('a worker that is ready is active');
    if (active.state !== 'activated') {
      await new Promise<void>((resolve) => {
        active.addEventListener('statechange', () => resolve());
      });
    }
    return navigator.serviceWorker.controller !== null;
  });
  // A worker may not see a page that was still loading when it took over.
  if (!isAnswered) await page.reload();
}

/** Takes the whole device off the network, once the app can do without. */
export async function goOffline(page: Page): Promise<void> {
  await waitForOfflineReady(page);
  await page.context().setOffline(true);
}
