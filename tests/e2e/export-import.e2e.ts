import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright/test';
import { blackPng } from '../support/fixtures/made-pictures.ts';
import { expect, type Device } from './fixtures.ts';
import {
  addPet,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openPet,
  register,
  waitForOfflineReady,
  writeNote,
} from './owner.ts';
import { expectPlays, record, soundsOnDevice, test, voiceNotes } from './voice.ts';

// Playwright's trace fetches the blob URLs of images.
test.use({ expectedErrors: /Connecting to 'blob:/ });

/** Opens the settings from the list of dogs. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
}

async function backToDogs(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'My Pets' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
}

/** Taps a button of the page. @returns the download that follows. */
async function exportFile(page: Page, button: string): Promise<Download> {
  const coming = page.waitForEvent('download');
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).click();
  return coming;
}

async function choose(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chooser).setFiles(path);
}

async function importFile(page: Page, path: string): Promise<void> {
  await choose(page, path);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Import' }).click();
}

async function closeResult(page: Page): Promise<void> {
  // No toast repeats the page's own message.
  await expect(page.locator('[data-toast]').filter({ hasText: /export|import|file/i })).toHaveCount(
    0,
  );
  await page.getByRole('main').getByRole('button', { name: 'Close' }).click();
}

async function setPicture(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name: 'Change Profile Picture' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await (
    await chooser
  ).setFiles({
    name: 'bramble.png',
    mimeType: 'image/png',
    buffer: blackPng(64, 64),
  });
  await page.getByRole('button', { name: 'Save picture' }).click();
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible();
}

/**
 * Registers an owner with two dogs, and with a picture, notes and a voice note that are not on the server. @returns the
 * page at the list of dogs, offline.
 */
async function ownerOffline(device: Device): Promise<Page> {
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Moss');
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await waitForOfflineReady(page);
  await goOffline(page);
  await writeNote(page, 'Found the ball');
  await writeNote(page, 'Rained all day');
  await record(page, 3);
  await expect(voiceNotes(page)).toHaveCount(1);
  await expectNothingSaving(page);
  await setPicture(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  return page;
}

/** Returns the hashes of the recordings on this device. */
async function recordingsOn(page: Page): Promise<readonly string[]> {
  const files = Object.entries(await soundsOnDevice(page));
  return files.flatMap(([name, hash]) => (name.includes('/audios/') ? [hash] : []));
}

test('a journal exported offline is imported once by another owner on another device, with recording and picture', async ({
  newDevice,
}) => {
  test.setTimeout(240_000);
  const a = await ownerOffline(await newDevice());
  const recorded = await recordingsOn(a);
  expect(recorded).toHaveLength(1);
  await openSettings(a);
  await expect(a.getByText('2 notes, 1 recording and 1 picture')).toBeVisible();
  const file = await exportFile(a, 'Export');
  expect(file.suggestedFilename()).toMatch(/^pawpals-\d{4}-\d\d-\d\d[.]zip$/);
  const path = await file.path();
  const said = 'Your export is ready: 2 dogs, 2 notes and 1 voice note.';
  await expect(a.getByRole('main').getByText(said)).toContainText(file.suggestedFilename());
  const again = await exportFile(a, 'Save again');
  expect(await readFile(await again.path())).toEqual(await readFile(path));
  await closeResult(a);
  expect((await exportFile(a, 'Export unsent')).suggestedFilename()).toContain('unsent');

  const b = await (await newDevice()).open('/auth/register');
  await register(b, newEmail());
  await waitForOfflineReady(b);
  await openSettings(b);
  await choose(b, path);
  const asked = b.getByRole('alertdialog', { name: 'Import this file?' });
  await expect(asked).toContainText(
    '2 dogs, 2 notes and 1 voice note, with 2 recordings and pictures',
  );
  await expect(asked).toContainText('another account');
  await asked.getByRole('button', { name: 'Import' }).click();
  await expect(
    b.getByRole('main').getByText('Imported: 2 dogs, 2 notes and 1 voice note.'),
  ).toBeVisible();
  await closeResult(b);
  await backToDogs(b);
  await expect(b.getByRole('link', { name: /Moss/ })).toBeVisible();
  await openPet(b, 'Bramble');
  await expect(journal(b).getByText('Rained all day')).toBeVisible();
  await expectPlays(b, voiceNotes(b));
  await expect(
    b.getByRole('main').locator('h1').locator('xpath=../..').locator('img'),
  ).toBeVisible();
  await expectSynced(b);
  expect(await recordingsOn(b)).toEqual(recorded);

  await b.getByRole('button', { name: 'Back' }).click();
  await openSettings(b);
  await importFile(b, path);
  await expect(b.getByRole('main').getByText(/Nothing new was in the file/)).toBeVisible();
  await closeResult(b);
  await backToDogs(b);
  await expect(b.getByRole('list', { name: 'Dogs' }).getByRole('listitem')).toHaveCount(2);
  await openPet(b, 'Bramble');
  await expect(journal(b).getByText('Found the ball')).toHaveCount(1);
  await expect(voiceNotes(b)).toHaveCount(1);
  await expectSynced(b);
});

test('a file that is no export is refused with a sentence, and changes nothing', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await openSettings(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from('PK\u0003\u0004 no zip at all');
  await (await chooser).setFiles({ name: 'holiday.zip', mimeType: 'application/zip', buffer });
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This is not a zip file');
  await closeResult(page);
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeFocused();
});
