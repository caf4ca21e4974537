import { storedOfOwner } from '../support/stored-of-owner.ts';
import { expect, test } from './fixtures.ts';
import {
  composer,
  discardAndSignOut,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openPet,
  openOnSecondDevice,
  openWithPet,
  pressSignOut,
  signIn,
  writeNote,
} from './owner.ts';

test('a sign-out in one tab counts the note that another has just written, and asks', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const writer = await openWithPet(device, 'Bramble', email);
  await expectSynced(writer);
  await goOffline(writer);
  const leaver = await device.open('/pets');
  await writeNote(writer, 'written in the other tab');
  await pressSignOut(leaver);
  await expect(leaver.getByRole('button', { name: 'Discard and sign out' })).toBeVisible();
  await leaver.getByRole('button', { name: 'Cancel' }).click();
  await device.context.setOffline(false);
  await expectSynced(writer);

  const other = await openOnSecondDevice(await newDevice(), email);
  await expect(journal(other).getByText('written in the other tab')).toBeVisible();
});

test('a sign-out while another tab writes asks about its draft, and then nothing of it stays on the device', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const writer = await openWithPet(device, 'Bramble', email);
  const leaver = await device.open('/pets');
  await writeNote(writer, 'note 1');
  await expectSynced(writer);
  await expectSynced(leaver);
  await composer(writer).fill('half a thought');
  await pressSignOut(leaver);
  await expect(leaver.getByRole('alertdialog')).toContainText('1 draft that is not saved.');
  await discardAndSignOut(leaver);
  await expect(leaver.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(writer.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => storedOfOwner(leaver)).toEqual([]);

  await signIn(leaver, email);
  await openPet(leaver, 'Bramble');
  await expect(journal(leaver).getByText('note 1')).toBeVisible();
  await expect(composer(leaver)).toHaveValue('');
});
