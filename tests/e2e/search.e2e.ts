import type { Page } from 'playwright/test';
import { storedOfOwner } from '../support/stored-of-owner.ts';
import { expect, test } from './fixtures.ts';
import { importNotes } from './imported-journal.ts';
import {
  addPet,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openPet,
  openSyncedPet,
  pressSignOut,
  register,
  signIn,
  visit,
  writeNote,
} from './owner.ts';
import { storedOnDevice } from './stored-on-device.ts';

function box(page: Page) {
  return page.getByRole('searchbox', { name: 'Search the journal' });
}

function hits(page: Page) {
  return page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
}

test('a word is found offline, in the notes of all dogs or of one, and leads to its place in the journal', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await goOffline(page);
  const later = Array.from({ length: 129 }, (_, index) => `walk number ${index + 1}`);
  const startMs = Date.now() - 3_600_000;
  const notes = ['A Phéasant in the hedge', ...later].map((text, index) => {
    return { id: `note${index}`, createdMs: startMs + index * 1_000, text };
  });
  await importNotes(page, notes);
  await addPet(page, 'Moss');
  await writeNote(page, 'No pheasants for Moss');
  await expectNothingSaving(page);

  await visit(page, '/pets');
  await page.getByRole('link', { name: 'Search' }).click();
  await box(page).fill('pheas');
  await expect(hits(page)).toHaveText([/Moss.*No pheasants/u, /Bramble.*A Phéasant in the hedge/u]);
  await expect(hits(page).last().locator('mark')).toHaveText('Phéasant');
  await page.getByRole('combobox', { name: 'Dog' }).selectOption('Bramble');
  await expect(hits(page)).toHaveCount(1);
  await box(page).fill('phaesant');
  await expect(hits(page)).toHaveCount(1);

  await hits(page).getByRole('link').click();
  const found = journal(page).getByRole('link', { name: 'A Phéasant in the hedge' });
  await expect(found).toBeInViewport();
  await expect(found).toBeFocused();
  await expect(page.getByText('walk number 129')).toHaveCount(0);

  // Newer entries are added below the entry in view, which does not move.
  const entry = journal(page).getByRole('link', { name: 'walk number 40', exact: true });
  await entry.scrollIntoViewIfNeeded();
  await expect(journal(page).getByText('walk number 90', { exact: true })).toBeAttached();
  await expect(entry).toBeInViewport();
  await page.getByRole('button', { name: 'To the newest entry' }).click();
  await expect(journal(page).getByText('walk number 129')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'To the newest entry' })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goBack();
  await expect(box(page)).toHaveValue('phaesant');
  await expect(hits(page)).toHaveCount(1);
});

test('the index is stored, follows edits of other devices, and is removed at sign-out', async ({
  newDevice,
}) => {
  const email = newEmail();
  const onPhone = await openSyncedPet(await newDevice(), email);
  await writeNote(onPhone, 'Found a hare');
  await expectSynced(onPhone);
  const tablet = await newDevice();
  const onTablet = await tablet.context.newPage();
  await signIn(onTablet, email);
  await openPet(onTablet, 'Bramble');
  await onTablet.getByRole('link', { name: 'Search' }).click();
  await box(onTablet).fill('hare');
  await expect(hits(onTablet)).toHaveCount(1);

  await writeNote(onPhone, 'Another hare');
  await expect(hits(onTablet)).toHaveCount(2);
  await onTablet.reload();
  await expect(hits(onTablet)).toHaveText([/Another hare/u, /Found a hare/u]);

  await expect.poll(() => storedOnDevice(onTablet)).toMatch(/"storeName":"search".*HARE/u);
  await pressSignOut(onTablet);
  await expect(onTablet.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  // An open database cannot be deleted, so the test first waits until it is gone.
  await expect.poll(() => storedOfOwner(onTablet)).toEqual([]);
  expect(await storedOnDevice(onTablet)).not.toMatch(/hare/iu);
});
