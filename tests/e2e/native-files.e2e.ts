import { createHash } from 'node:crypto';
import { expect } from './fixtures.ts';
import { answerNatively, nativeCalls, sharedFile, wrapNatively } from './native-page.ts';
import {
  expectSynced,
  journal,
  newEmail,
  openPet,
  openWithPet,
  register,
  writeNote,
} from './owner.ts';
import { record, soundsOnDevice, test, voiceNotes } from './voice.ts';

// Playwright's trace fetches the blob URLs of images.
test.use({ isFirstVisit: true, expectedErrors: /Connecting to 'blob:/ });

test('in the wrapper an export and a recording go to the share sheet, and an export is imported', async ({
  newDevice,
}) => {
  test.setTimeout(120_000);
  const device = await newDevice();
  await wrapNatively(device.context);
  const page = await openWithPet(device);
  await writeNote(page, 'Found the ball');
  await page.goto(page.url().replace('/profile', '/actions/add-voice-note'));
  await record(page, 2);
  await expect(voiceNotes(page)).toHaveCount(1);
  await expectSynced(page);

  await voiceNotes(page).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Save the recording' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Shared.' })).toBeVisible();
  const recording = await sharedFile(page);
  expect(recording.name).toMatch(/[.]webm$/);
  const sound = createHash('sha256').update(recording.bytes).digest('hex');
  expect(Object.values(await soundsOnDevice(page))).toEqual([sound]);

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(
    page.getByRole('main').getByText(/It is shared as pawpals-[\d-]+[.]zip/),
  ).toBeVisible();
  const zip = await sharedFile(page);
  expect(zip.name).toMatch(/^pawpals-[\d-]+[.]zip$/);

  await answerNatively(page, 'Share.share', { refusal: 'Share canceled' });
  await page.getByRole('button', { name: 'Save again' }).click();
  await expect(page.getByRole('button', { name: 'Save the file' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await nativeCalls(page, 'Share.share')).toHaveLength(2);
  expect((await sharedFile(page)).bytes).toHaveLength(0);

  const other = await newDevice();
  await wrapNatively(other.context);
  const later = await other.open('/auth/register');
  await register(later, newEmail());
  await later.goto('/settings');
  const chooser = later.waitForEvent('filechooser');
  await later.getByRole('button', { name: 'Choose a file' }).click();
  const { name, bytes: buffer } = zip;
  await (await chooser).setFiles({ name, mimeType: 'application/zip', buffer });
  await later.getByRole('alertdialog').getByRole('button', { name: 'Import' }).click();
  await expect(later.getByText('Imported: 1 dog, 1 note and 1 voice note.')).toBeVisible();
  await later.goto('/pets');
  await openPet(later, 'Bramble');
  await expect(journal(later).getByText('Found the ball')).toBeVisible();
  await expect(voiceNotes(later)).toHaveCount(1);
});
