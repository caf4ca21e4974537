import { expect, test } from './fixtures.ts';
import {
  addPet,
  dateTimes,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openNote,
  openPet,
  register,
  signIn,
  status,
  writeNote,
} from './owner.ts';

const noteCount = 30;
const deleted = 'walk note 7';

function noteTexts(): string[] {
  return Array.from({ length: noteCount }, (_, index) => `walk note ${index + 1}`);
}

test('the walk: notes written offline reach the second device, each once', async ({
  newDevice,
}) => {
  const email = newEmail();
  const deviceA = await newDevice();
  let a = await deviceA.open('/auth/register');
  await register(a, email);
  await addPet(a, 'Bramble');
  await expectSynced(a);
  const profile = a.url();

  await goOffline(a);
  const texts = noteTexts();
  for (const text of texts.slice(0, 15)) await writeNote(a, text);
  await expectNothingSaving(a);
  await a.reload();
  for (const text of texts.slice(15)) await writeNote(a, text);
  await expect(status(a)).toHaveText('Offline, 30 waiting');

  await a.close();
  a = await deviceA.open(profile);
  await expect(journal(a).getByText(deleted, { exact: true })).toBeVisible();
  await openNote(a, deleted);
  await a.getByRole('button', { name: 'Delete' }).click();
  await a.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(journal(a)).toBeVisible();
  await expect(journal(a).getByText(deleted, { exact: true })).toBeHidden();
  const timesOnA = await dateTimes(a);
  expect(timesOnA).toHaveLength(noteCount - 1);

  await deviceA.context.setOffline(false);
  await expectSynced(a);

  const deviceB = await newDevice();
  const b = await deviceB.open('/auth/login');
  await signIn(b, email);
  await openPet(b, 'Bramble');
  const left = texts.filter((text) => text !== deleted);
  // The notes arrive page by page.
  await expect(journal(b).getByText(/^walk note \d+$/)).toHaveText(left);
  expect(await dateTimes(b)).toEqual(timesOnA);

  await writeNote(b, 'written on the second device');
  await expect(journal(a).getByText('written on the second device')).toBeVisible();
});
