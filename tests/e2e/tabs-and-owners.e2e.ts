import { doc, getDoc, getDocs, collection, query, setDoc, where } from 'firebase/firestore/lite';
import type { CDPSession, Locator, Page } from 'playwright/test';
import { pingEveryMs } from '../../replication/connectivity/lock-watch.ts';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  createAccount,
  expectSynced,
  journal,
  newEmail,
  openWithPet,
  register,
  signIn,
  submitSignIn,
  writeNote,
  openNote,
} from './owner.ts';

/** Returns how many tabs hold the lock of the owner's sync, and how many wait for it. */
function lockCounts(page: Page): Promise<{ held: number; waiting: number }> {
  return page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const count = (locks: LockInfo[]) =>
      locks.filter(({ name }) => name?.startsWith('pawpals:')).length;
    return { held: count(held), waiting: count(pending) };
  });
}

/**
 * Stops the page in the debugger, because headless Chromium does not freeze a page on request. It waits until the page
 * is idle, since a browser does not freeze a page in the middle of a transaction.
 */
async function stopWhenIdle(page: Page, debug: CDPSession): Promise<void> {
  await expectSynced(page);
  await debug.send('Debugger.enable');
  const stopped = new Promise((resolve) => debug.once('Debugger.paused', resolve));
  await page.evaluate(() => {
    const stop = (): void => {
      // oxlint-disable-next-line no-debugger -- this is what stops the page
      debugger;
    };
    // Chromium can leave a background page without an idle callback for more than a minute.
    requestIdleCallback(stop, { timeout: 5_000 });
  });
  await stopped;
}

/** Has the page ask ten times as often, from the next question on, whether the tab that holds the lock is alive. */
function hastenPings(page: Page): Promise<void> {
  return page.evaluate((everyMs) => {
    const wait = globalThis.setTimeout;
    const hastened = (run: () => void, ms?: number) => wait(run, ms === everyMs ? ms / 10 : ms);
    Object.assign(globalThis, { setTimeout: hastened });
  }, pingEveryMs);
}

test('two tabs of one device: one syncs, both show the same, and closing it hands over', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const first = await device.open('/auth/register');
  await register(first, email);
  await addPet(first, 'Bramble');
  await expectSynced(first);

  const second = await device.open(new URL(first.url()).pathname);
  await expect.poll(() => lockCounts(second)).toEqual({ held: 1, waiting: 1 });
  await writeNote(second, 'from the second tab');
  await expect(journal(first).getByText('from the second tab')).toBeVisible();
  await expectSynced(second);
  await writeNote(first, 'from the first tab');
  await expect(journal(second).getByText('from the first tab')).toBeVisible();
  await expectSynced(first);

  await first.close();
  await expect.poll(() => lockCounts(second)).toEqual({ held: 1, waiting: 0 });
  await writeNote(second, 'after the handover');
  await expectSynced(second);

  const other = await (await newDevice()).open('/auth/login');
  await signIn(other, email);
  await other.getByRole('link', { name: /Bramble/ }).click();
  for (const text of ['from the second tab', 'from the first tab', 'after the handover']) {
    await expect(journal(other).getByText(text, { exact: true })).toHaveCount(1);
  }
});

test('a frozen tab loses the lock to the visible one, which syncs', async ({ newDevice }) => {
  const device = await newDevice();
  const frozen = await device.open('/auth/register');
  await register(frozen, newEmail());
  await addPet(frozen, 'Bramble');
  await expectSynced(frozen);
  const second = await device.open(new URL(frozen.url()).pathname);
  await expect.poll(() => lockCounts(second)).toEqual({ held: 1, waiting: 1 });

  await expectSynced(second);
  const debug = await device.context.newCDPSession(frozen);
  await stopWhenIdle(frozen, debug);
  await hastenPings(second);
  await writeNote(second, 'while the first tab is frozen');
  await expect(journal(second).getByText('In the cloud')).toBeVisible({ timeout: 60_000 });
  expect(await lockCounts(second)).toEqual({ held: 1, waiting: 0 });

  await debug.send('Debugger.resume');
  await debug.detach();
  await expect(journal(frozen).getByText('while the first tab is frozen')).toBeVisible();
  await expect.poll(() => lockCounts(second)).toEqual({ held: 1, waiting: 1 });
});

test('a page that resumes still has what was typed into a form, and the place in the journal', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice(), 'Bramble');
  /** Resumes the page while it shows an element, and waits until the data is opened again. */
  const resume = async (shown: Locator) => {
    const element = await shown.elementHandle();
    await page.evaluate(() => document.dispatchEvent(new Event('resume')));
    await expect.poll(() => element?.evaluate((node) => node.isConnected)).toBe(false);
  };
  for (const text of 'abcdefghijkl') await writeNote(page, text);
  await expectSynced(page);
  const position = () =>
    journal(page).evaluate((list) => list.closest('[data-scroll-restoration-id]')?.scrollTop);
  await journal(page).hover();
  await page.mouse.wheel(0, -100);
  await expect.poll(position).toBe(-100);
  await resume(journal(page));
  await expect(journal(page).getByText('a', { exact: true })).toBeVisible();
  expect(await position()).toBe(-100);

  const note = journal(page).getByRole('link', { name: /^a\b/ });
  await page.goto((await note.getAttribute('href')) ?? '');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Entry deleted')).toBeVisible();
  await expect(journal(page)).toBeVisible();
  // A commit that is under way would meet the next one, which the browser logs.
  await expectSynced(page);
  await resume(journal(page));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(note).toHaveCount(1);

  await page.goto('/pets');
  await expectSynced(page);
  await page.getByRole('link', { name: 'Add dog' }).click();
  const name = page.getByRole('textbox', { name: 'Pet Name' });
  await name.fill('Thistle');
  await resume(name);
  await expect(name).toHaveValue('Thistle');
});

test('a tab whose owner stays for the browser session only syncs after a reload, beside a kept owner', async ({
  backend,
  newDevice,
}) => {
  const [briefly, kept] = [newEmail(), newEmail()];
  await createAccount(backend, briefly);
  const device = await newDevice();
  const first = await device.open('/auth/login');
  await first.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck();
  await submitSignIn(first, briefly);
  await expect(first.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await addPet(first, 'Bramble');
  const second = await device.open('/auth/register');
  await register(second, kept);
  await addPet(second, 'Moss');

  await first.reload();
  await writeNote(first, 'of the first owner');
  await writeNote(second, 'of the second owner');
  await expect(journal(first).getByText('In the cloud')).toBeVisible();
  await expect(journal(second).getByText('In the cloud')).toBeVisible();
});

test('a second owner sees nothing of the first, also when asking Firestore directly', async ({
  backend,
  newDevice,
}) => {
  const first = await (await newDevice()).open('/auth/register');
  await register(first, newEmail());
  await addPet(first, 'Bramble');
  await writeNote(first, 'private');
  await expectSynced(first);
  await openNote(first, 'private');
  const [, petId = '', noteId = ''] = /pets\/([^/]+)\/notes\/([^/]+)/.exec(first.url()) ?? [];
  expect(noteId).not.toBe('');

  const second = await (await newDevice()).open('/auth/register');
  const email = newEmail();
  await register(second, email);
  await expect(second.getByRole('link', { name: 'Get started' })).toBeVisible();
  await second.goto(`/pets/${petId}/profile`);
  await expect(second.getByText('This dog is not on this device')).toBeVisible();
  await expect(second.getByText('Bramble')).toHaveCount(0);
  await expect(second.getByText('private')).toHaveCount(0);

  const client = await openFirestoreClient({ url: backend.url, email, isNew: false });
  const { firestore } = client;
  const denied = { code: 'permission-denied' };
  const pet = doc(firestore, 'pets', petId);
  await expect(getDoc(pet)).rejects.toMatchObject(denied);
  await expect(getDoc(doc(pet, 'journalEntries', noteId))).rejects.toMatchObject(denied);
  await expect(getDocs(collection(firestore, 'pets'))).rejects.toMatchObject(denied);
  await expect(getDocs(collection(pet, 'journalEntries'))).rejects.toMatchObject(denied);
  await expect(setDoc(pet, { name: 'Mine' })).rejects.toMatchObject(denied);
  const own = query(collection(firestore, 'pets'), where('ownerId', '==', client.uid));
  expect((await getDocs(own)).empty).toBe(true);
  await client.close();
});

test('without Web Locks every tab syncs by itself, and shows the notes of others', async ({
  newDevice,
}) => {
  const device = await newDevice();
  // The APIs are missing over plain http.
  await device.context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
    Reflect.deleteProperty(Navigator.prototype, 'locks');
  });
  const first = await openWithPet(device);
  await expectSynced(first);
  const second = await device.open(new URL(first.url()).pathname);
  await writeNote(second, 'from the second tab');
  await expectSynced(second);
  await expect(journal(first).getByText('from the second tab')).toBeVisible();
  await expectSynced(first);
});
