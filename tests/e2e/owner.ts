import { expect, type Locator, type Page } from 'playwright/test';
import type { Device, SharedBackend } from './fixtures.ts';

/** This module has the actions of an owner. They find elements by the names that a person or a screen reader uses. */

export const password = 'Walkies-4-all';

export function newEmail(): string {
  return `owner-${crypto.randomUUID()}@example.com`;
}

/** Loads a page unless the tab shows it already. */
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

/** Creates an account on the server, as if its owner had registered on another device. */
export async function createAccount({ url }: SharedBackend, email: string): Promise<void> {
  const address = `${url}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=embedded`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  expect(response.status).toBe(200);
}

/** Submits the sign-in form without waiting for the result. */
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

/** Registers a new owner on that device, and opens the profile of their dog. */
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

/** Does the same, and waits until the page is synced and can go offline. */
export async function openSyncedPet(device: Device, email = newEmail()): Promise<Page> {
  const page = await openWithPet(device, 'Bramble', email);
  await expectSynced(page);
  await waitForOfflineReady(page);
  return page;
}

/** Signs the owner in on that device, and opens the profile of Bramble. */
export async function openOnSecondDevice(device: Device, email: string): Promise<Page> {
  const page = await device.context.newPage();
  await signIn(page, email);
  await openPet(page, 'Bramble');
  return page;
}

/** Adds a dog; the page then shows its profile. */
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

/** Scrolls to an element, also if it is replaced meanwhile, as an optimistic note is by the stored one. */
export async function scrollTo(element: Locator): Promise<void> {
  await expect(() => element.scrollIntoViewIfNeeded({ timeout: 1_000 })).toPass();
}

export function composer(page: Page) {
  return page.getByRole('textbox', { name: 'Write a note' });
}

/** Returns the toasts. */
export function news(page: Page) {
  return page.locator('[data-toast]');
}

export function journal(page: Page) {
  return page.getByRole('list', { name: 'Journal' });
}

/** Returns the `datetime` of each entry of the journal that is shown. */
export function dateTimes(page: Page): Promise<(string | null)[]> {
  const times = journal(page).locator('time');
  return times.evaluateAll((elements) => elements.map((each) => each.getAttribute('datetime')));
}

/** Waits until every note shown is durable, so that a reload or a crash loses none. */
export async function expectNothingSaving(page: Page): Promise<void> {
  await expect(journal(page).getByText('Saving', { exact: true })).toHaveCount(0);
}

/** Waits until five frames in a row have changed nothing, or for at most 60 frames: a recording changes each of them. */
export function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    let quietFrames = 0;
    const observer = new MutationObserver(() => {
      quietFrames = 0;
    });
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    for (let frames = 0; frames < 60 && quietFrames < 5; frames++) {
      quietFrames++;
      await new Promise(requestAnimationFrame);
    }
    observer.disconnect();
  });
}

/**
 * Opens a note once it is stored, since its element is replaced then, and once the heading of the dog has its size: it
 * becomes smaller when the journal is scrolled. A click is lost if its element moves between press and release.
 */
export async function openNote(page: Page, text: string): Promise<void> {
  await expectNothingSaving(page);
  const note = journal(page).getByText(text, { exact: true });
  await note.scrollIntoViewIfNeeded();
  await settle(page);
  await note.click();
}

/** Presses Sign Out without waiting for the result. */
export async function pressSignOut(page: Page): Promise<void> {
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
}

/** Answers the question of a sign-out that would lose something. */
export async function discardAndSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('button', { name: 'Really discard and sign out' }).click();
}

export function status(page: Page) {
  return page.getByRole('status', { name: 'Sync status' });
}

/** Returns how many dogs and entries of the device are unsent or refused. The status can lag behind the stored rows. */
function countUnsent(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // The compiler of the screenshots gives functions their names by a helper that pages do not have; methods have theirs.
    const requests = {
      settled<Result>(request: IDBRequest<Result>) {
        return new Promise<Result>((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result));
          request.addEventListener('error', () => reject(new Error('IndexedDB refused')));
        });
      },
    };
    const all = await indexedDB.databases();
    const owned = all
      .map(({ name }) => name ?? '')
      .filter((name) => /^pawpals-[a-z0-9_]+-[a-z0-9]+$/.test(name));
    // The owner's database is there before the first dog.
    let count = owned.length === 0 ? Infinity : 0;
    for (const name of owned) {
      const database = await requests.settled(indexedDB.open(name));
      const stores = ['pets', 'journal_entries'].filter((each) =>
        database.objectStoreNames.contains(each),
      );
      for (const store of stores) {
        const rows = await requests.settled(
          database.transaction(store).objectStore(store).getAll(),
        );
        count += rows.filter(({ pending }) => pending > 0).length;
      }
      database.close();
    }
    return count;
  });
}

/** Waits until all that was written is sent, and the page says so. */
export async function expectSynced(page: Page): Promise<void> {
  await expect.poll(() => countUnsent(page), { intervals: [50, 100, 100, 250] }).toBe(0);
  const unsent = journal(page).getByText(/^(Saving|On this device|Uploading)$/);
  await expect(unsent).toHaveCount(0);
  await expect(status(page)).toHaveText('Synced');
}

/** Waits until the worker has precached the app and controls this page, so that the page needs no network. */
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
  // A worker may not control a page that was still loading when it activated.
  if (!isAnswered) await page.reload();
}

/** Takes the device offline once the app can do without the network. */
export async function goOffline(page: Page): Promise<void> {
  await waitForOfflineReady(page);
  await page.context().setOffline(true);
}
