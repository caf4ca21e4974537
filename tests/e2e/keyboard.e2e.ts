import type { Page } from 'playwright/test';
import { neverIdle } from '../support/setups/never-idle.ts';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  composer,
  expectSynced,
  newEmail,
  openWithPet,
  register,
  writeNote,
  openNote,
} from './owner.ts';

test.use({ serviceWorkers: 'block' });

function heading(page: Page, name: string) {
  return page.getByRole('heading', { level: 1, name });
}

async function pressLink(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name }).focus();
  await page.keyboard.press('Enter');
}

test('by keyboard: the focus goes to each new heading, and back to what opened a page or dialog', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  // The first navigation comes before the page is idle.
  await page.addInitScript(neverIdle);
  await page.goto('/settings');
  await expect(heading(page, 'Settings')).toBeVisible();

  await pressLink(page, 'Privacy policy');
  await expect(heading(page, 'Privacy policy')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Privacy policy' })).toBeFocused();

  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'PawPals' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  await page.keyboard.press('Enter');
  await pressLink(page, 'Help & Support');
  await expect(heading(page, 'Help & Support')).toBeFocused();

  await page.getByRole('button', { name: 'Sync details' }).press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Sync details' })).toBeFocused();

  await page.goBack();
  await expect(heading(page, 'Settings')).toBeFocused();
  await pressLink(page, 'Delete Account');
  const dialog = page.getByRole('alertdialog', { name: 'Delete Account' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Delete Account' })).toBeFocused();
});

test('by keyboard: the action of a menu that has the focus is outlined, and a step back leads to its button', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.goto('/pets');
  await page.emulateMedia({ forcedColors: 'active' });
  const button = page.getByRole('button', { name: 'Actions for Bramble' });
  await button.press('Enter');
  await page.keyboard.press('ArrowDown');
  const item = page.locator('[role=menuitem]:focus');
  await expect(item).toHaveCSS('outline-style', 'solid');
  await page.getByRole('menuitem', { name: 'Edit Details' }).press('Enter');
  await expect(heading(page, 'Edit Details')).toBeFocused();
  await page.goBack();
  await expect(button).toBeFocused();
});

test('the first Tab offers to skip to the content, without a step in the history', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await page.goto('/help');
  await expect(heading(page, 'Help & Support')).toBeVisible();
  const before = page.url();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').getByRole('link').first()).toBeFocused();
  expect(page.url()).toBe(before);
});

test('every page has a title, one heading of the first level, and one main part', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/login');
  const expectNamed = async (path: string, title: string, name: string): Promise<void> => {
    await page.goto(path);
    await expect(heading(page, name)).toBeVisible();
    await expect(page).toHaveTitle(`${title} · PawPals`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(page.getByRole('main')).toHaveCount(1);
  };
  await expectNamed('/auth/login', 'Sign in', 'Sign in');
  await expectNamed('/auth/register', 'Create your account', 'Create your account');
  await expectNamed('/auth/reset-password', 'Reset your password', 'Reset your password');
  await expectNamed('/auth/set-new-password', 'Set a new password', 'Set a new password');
  await expectNamed('/privacy', 'Privacy policy', 'Privacy policy');

  await register(page, newEmail());
  await addPet(page, 'Bramble');
  const profile = new URL(page.url()).pathname;
  await writeNote(page, 'buried a bone');
  await expectSynced(page);
  await openNote(page, 'buried a bone');
  await expect(heading(page, 'Note')).toBeVisible();
  const note = new URL(page.url()).pathname;

  await expectNamed('/pets', 'My Dogs', 'My Dogs');
  await expectNamed('/pets/new', 'Create Pet', 'Create Pet');
  await expectNamed(profile, 'Bramble', 'Bramble');
  await expectNamed(note, 'Note', 'Note');
  await expectNamed('/settings', 'Settings', 'Settings');
  await expectNamed('/help', 'Help & Support', 'Help & Support');
  const unknown = 'This dog is not on this device';
  await expectNamed('/pets/unknown/profile', unknown, unknown);
  // It looks the same as a sentence that is no heading.
  await expect(page.getByText(unknown)).toHaveCSS('font-weight', '400');
  await page.getByRole('link', { name: 'My Dogs' }).click();
  await expect(heading(page, 'My Dogs')).toBeVisible();

  await expectNamed(`${note}x`, 'Note', 'Note');
  await expect(page.getByText('Journal entry not found')).toHaveCSS('font-weight', '400');
  await page.getByRole('link', { name: 'Back to the journal' }).click();
  await expect(heading(page, 'Bramble')).toBeVisible();
});

test('a note that is longer than the screen scrolls by keyboard', async ({ newDevice }) => {
  const page = await openWithPet(await newDevice());
  await composer(page).fill('a line of a long walk\n'.repeat(80));
  await composer(page).press('Enter');
  await pressLink(page, 'Show all');
  await expect(heading(page, 'Note')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const note = page.getByRole('article');
  await expect(note).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(() => note.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Edit' })).toBeFocused();
});
