import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import {
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openOnSecondDevice,
  openSyncedPet,
  writeNote,
} from './owner.ts';

async function correct(page: Page, from: string, to: string): Promise<void> {
  await journal(page).getByRole('link', { name: from }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill(to);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('article')).toContainText(to);
}

test('a note is edited on two devices, one offline: both show one text, and the other is kept', async ({
  newDevice,
}) => {
  const email = newEmail();
  const phone = await newDevice();
  const onPhone = await openSyncedPet(phone, email);
  await writeNote(onPhone, 'Duks in the pond');
  await expectSynced(onPhone);
  const tablet = await newDevice();
  const onTablet = await openOnSecondDevice(tablet, email);
  await expect(journal(onTablet).getByText('Duks in the pond')).toBeVisible();

  await goOffline(onPhone);
  await correct(onPhone, 'Duks in the pond', 'Ducks in the pond');
  await expect(onPhone.getByRole('article')).toContainText('On this device');
  await correct(onTablet, 'Duks in the pond', 'Geese in the pond');
  await expectSynced(onTablet);
  await phone.context.setOffline(false);

  // The tablet's edit is later, so the phone shows it and offers its own text as another version.
  const note = onPhone.getByRole('article');
  await expect(note).toContainText('Geese in the pond');
  const versions = onPhone.getByRole('list', { name: 'Other versions' });
  await expect(versions).toContainText('Ducks in the pond');

  // The journal shows the same.
  await onPhone.getByRole('button', { name: 'Back' }).click();
  const bubble = journal(onPhone).getByRole('listitem');
  await expect(bubble).toContainText('Geese in the pond');
  await bubble.getByRole('link', { name: 'Other version' }).click();
  await versions.getByRole('button', { name: 'Restore' }).click();
  await expect(note).toContainText('Restored.');
  await expect(onTablet.getByRole('article')).toContainText('Ducks in the pond');

  await onTablet.getByRole('button', { name: 'Edited. Former versions' }).click();
  const former = onTablet.getByRole('list', { name: 'Former versions' });
  await expect(former.getByRole('listitem')).toHaveText([
    /Geese in the pond/u,
    /Duks in the pond/u,
  ]);
  await former.getByRole('button', { name: 'Restore' }).last().click();
  await expect(note).toContainText('Duks in the pond');
  await expect(versions).toHaveCount(0);
  await onPhone.getByRole('button', { name: 'Back' }).click();
  await expect(journal(onPhone).getByText('Edited')).toBeVisible();
});
