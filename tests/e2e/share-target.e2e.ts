import type { Page } from 'playwright/test';
import {
  share,
  sharedPhoto as photo,
  sharedSound as sound,
} from '../support/fixtures/share-form.ts';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openWithPet,
  register,
  submitSignIn,
  waitForOfflineReady,
} from './owner.ts';
import { storedOnDevice } from './stored-on-device.ts';
import { voiceNotes } from './voice.ts';

function noteBox(page: Page) {
  return page.getByRole('textbox', { name: 'Write a note' });
}

async function expectNothingKept(page: Page): Promise<void> {
  await expect.poll(() => countShares(page)).toBe(0);
}

function countShares(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes('pawpals--shared')) return 0;
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('pawpals--shared');
      opening.addEventListener('error', () => reject(new Error('not opened')));
      opening.addEventListener('success', () => {
        const counting = opening.result.transaction('items').objectStore('items').count();
        counting.addEventListener('success', () => {
          opening.result.close();
          resolve(counting.result);
        });
      });
    });
  });
}

test('a shared text and link go into the composer of the only dog, offline too', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await expectSynced(page);
  await goOffline(page);
  await share(page, { texts: { title: 'Ponds', text: 'Look', url: 'https://ponds.example' } });
  await expect(noteBox(page)).toHaveValue('Ponds\nLook\nhttps://ponds.example');
  await page.reload();
  await expect(noteBox(page)).toHaveValue('Ponds\nLook\nhttps://ponds.example');
  await noteBox(page).press('Enter');
  await expect(journal(page).getByText('Ponds')).toBeVisible();
  await expectNothingKept(page);
});

test('a shared recording becomes one voice note of the chosen dog, and reaches the server', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice(), 'Bramble');
  await addPet(page, 'Moss');
  await expectSynced(page);
  await waitForOfflineReady(page);
  await share(page, { files: [sound()] });
  await expect(
    page.getByRole('heading', { name: 'Whose journal is the voice note' }),
  ).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Moss' }).click();
  await expect(page.getByText('From the trainer.wav')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Keep as a voice note' }).click();
  await expect(page.getByRole('heading', { name: 'Moss' })).toBeVisible();
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect(voiceNotes(page).getByText('0:02')).toBeVisible();
  await expectSynced(page);
  await expectNothingKept(page);
});

test('an unreadable and a too long recording are reported, and removed only on request', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await waitForOfflineReady(page);
  const text = { name: 'call.mp3', type: 'audio/mpeg', base64: btoa('not a sound') };
  await share(page, { files: [text, sound(121)] });
  await expect(page.getByText('This device cannot read this sound.')).toBeVisible();
  await expect(page.getByText('This is longer than 2 minutes.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keep as a voice note' })).toHaveCount(0);
  expect(await countShares(page)).toBe(1);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Really discard' }).click();
  await expect(noteBox(page)).toBeVisible();
  await expectNothingKept(page);
});

test('a shared photo becomes the profile picture, also after a step back from the preview', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await expectSynced(page);
  await waitForOfflineReady(page);
  await share(page, { files: [photo] });
  await expect(page.getByText(/no photos/)).toBeVisible();
  await page.getByRole('button', { name: 'Use as profile picture' }).click();
  await expect(page.getByRole('button', { name: 'Save picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Use as profile picture' }).click();
  await page.getByRole('button', { name: 'Save picture' }).click();
  await expect(noteBox(page)).toBeVisible();
  await expect(page.getByRole('main').locator('img').first()).toBeVisible();
  await expectSynced(page);
  await expectNothingKept(page);
});

test('of eleven shared photos, the last one is named with the reason why it was not taken', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await waitForOfflineReady(page);
  const photos = Array.from({ length: 11 }, (_, at) => ({ ...photo, name: `IMG_${at + 1}.png` }));
  await share(page, { files: photos });
  const parts = page.getByRole('list', { name: 'What you shared' }).getByRole('listitem');
  await expect(parts).toHaveCount(11);
  await expect(page.getByRole('button', { name: 'Use as profile picture' })).toHaveCount(10);
  await expect(parts.last()).toContainText('IMG_11.png');
  await expect(parts.last()).toContainText('At most 10 files can be shared at once');
});

test('the next start offers unused shared items', async ({ newDevice }) => {
  const page = await openWithPet(await newDevice());
  await waitForOfflineReady(page);
  await share(page, { files: [sound()] });
  await expect(page.getByRole('button', { name: 'Keep as a voice note' })).toBeVisible();
  await page.goto('/');
  await expect(page.getByText('Something you shared is still waiting for its dog.')).toBeVisible();
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'Keep as a voice note' }).click();
  await expect(voiceNotes(page)).toHaveCount(1);
  await expectNothingKept(page);
});

test('items shared before signing in wait for the sign-in', async ({ newDevice }) => {
  const device = await newDevice();
  const email = newEmail();
  const page = await openWithPet(device, 'Bramble', email);
  await expectSynced(page);
  await waitForOfflineReady(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await share(page, { texts: { text: 'From before' } });
  await submitSignIn(page, email);
  await expect(noteBox(page)).toHaveValue('From before');
  await expectNothingKept(page);
});

test('a sign-out asks before it erases unused shared items', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await waitForOfflineReady(page);
  await share(page, { texts: { text: 'a secret of Robin' } });
  await expect(page.getByText('There is no dog on this device yet.')).toBeVisible();
  expect(await storedOnDevice(page)).toContain('a secret of Robin');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(/^1 unused shared item/)).toBeVisible();
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('button', { name: /^Really/ }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => storedOnDevice(page)).not.toContain('a secret of Robin');
});

test('without a worker the page says that nothing has come', async ({ browser, backend }) => {
  const context = await browser.newContext({ baseURL: backend.url, serviceWorkers: 'block' });
  const page = await context.newPage();
  await register(page, newEmail());
  const answered = page.waitForURL(/\/quick\/share$/);
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), {
      method: 'post',
      action: '/quick/share',
      enctype: 'multipart/form-data',
    });
    document.body.append(form);
    form.submit();
  });
  await answered;
  await expect(page.getByText(/Nothing has arrived/)).toBeVisible();
  await context.close();
});
