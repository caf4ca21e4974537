import { expect, type Page } from 'playwright/test';
import { dataStates } from './data-states.ts';
import { of, type Scene } from './scene.ts';
import { states } from './states.ts';

type Prepare = Scene['prepare'];

const heading =
  (name: string | RegExp): Prepare =>
  async (page) => {
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };

const stranger = of('stranger');
const demo = of('demo');
const fresh = of('new');

const bramble = '/pets/demo-bramble';
const note = `${bramble}/notes/demo-bramble-0-days-ago-08-12`;

const editedNote = `${bramble}/notes/demo-bramble-3-days-ago-17-55`;

const journalIsShown: Prepare = async (page) => {
  await expect(page.getByText('sat for the cyclists')).toBeVisible();
};

/** Waits until everything is synced, and Bramble and Moss show their pictures in place of their initials. */
const allHasCome: Prepare = async (page) => {
  await expect(page.locator('img').first()).toBeVisible();
  await expect(page.getByText(/^[BM]$/).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText('Synced');
};

async function writeOffline(page: Page): Promise<void> {
  await journalIsShown(page);
  await page.context().setOffline(true);
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await composer.fill('Found the ball again, in the same hedge.');
  await composer.press('Enter');
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText(
    /^Offline, [0-9]+ waiting$/,
  );
}

async function openSyncSheet(page: Page): Promise<void> {
  await writeOffline(page);
  await page.getByRole('button', { name: /Sync details/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

async function openMenu(page: Page): Promise<void> {
  await heading('My Dogs')(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByText('Free Plan')).toBeVisible();
}

async function askToDeleteNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

async function openFormerTexts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Told again, and better.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edited. Former versions' }).click();
  await expect(page.getByRole('button', { name: 'Restore' }).first()).toBeVisible();
}

async function refuseWrongPassword(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill('robin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Walkies-4-all');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
}

async function saveNothing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Pet name is required')).toBeVisible();
}

const strangers: readonly Scene[] = [
  stranger('login', '/auth/login', heading('Sign in')),
  stranger('login-refused', '/auth/login', refuseWrongPassword),
  stranger('register', '/auth/register', heading('Create your account')),
  stranger('reset-password', '/auth/reset-password', heading(/./)),
  stranger('set-new-password', '/auth/set-new-password?oobCode=code', heading(/./)),
  stranger('set-new-password-no-code', '/auth/set-new-password', heading(/./)),
  stranger('privacy', '/privacy', heading(/./)),
];

const newOwners: readonly Scene[] = [
  fresh('pets-empty', '/pets', async (page) => {
    await expect(page.getByRole('link', { name: 'Get started' })).toBeVisible();
  }),
  fresh('pets-new', '/pets/new', heading('Create Pet')),
  fresh('pets-new-refused', '/pets/new', saveNothing),
];

const owners: readonly Scene[] = [
  demo('pets', '/pets', async (page) => {
    await expect(page.getByRole('link', { name: /Moss/ }).first()).toBeVisible();
    await allHasCome(page);
  }),
  demo('menu', '/pets', openMenu),
  demo('profile', `${bramble}/profile`, async (page) => {
    await journalIsShown(page);
    await expect(page.getByRole('button', { name: 'Play' }).first()).toBeVisible();
    await allHasCome(page);
  }),
  demo('profile-offline', `${bramble}/profile`, writeOffline),
  demo('sync-sheet', `${bramble}/profile`, openSyncSheet),
  demo('note', note, journalIsShown),
  demo('note-delete', note, askToDeleteNote),
  demo('note-missing', `${bramble}/notes/none`, async (page) => {
    await expect(page.getByText('Journal entry not found')).toBeVisible();
  }),
  demo('note-edit', `${note}/action/edit`, async (page) => {
    await expect(page.getByRole('textbox', { name: 'Note' })).toBeVisible();
  }),
  demo('note-former', editedNote, openFormerTexts),
  demo('dog-unknown', '/pets/none/profile', heading(/./)),
  demo('actions', `${bramble}/actions`, heading(/./)),
  demo('set-breed', `${bramble}/actions/set-breed`, heading(/./)),
  demo('set-dob', `${bramble}/actions/set-dob`, heading(/./)),
  demo('add-note', `${bramble}/actions/add-note`, heading(/./)),
  demo('add-voice-note', `${bramble}/actions/add-voice-note`, heading(/./)),
  demo('share', `${bramble}/actions/share`, async (page) => {
    await expect(page.getByText('Fenland Gundog Club')).toBeVisible();
  }),
  demo('share-offline', `${bramble}/profile`, async (page) => {
    await journalIsShown(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Actions' }).click();
    await page.getByRole('link', { name: 'Share with Trainer' }).click();
    await expect(page.getByText('The list of organizations needs a connection.')).toBeVisible();
  }),
  demo('edit-details', `${bramble}/actions/edit-details`, heading(/./)),
  demo('change-picture', `${bramble}/actions/change-profile-picture`, heading(/./)),
  demo('delete-dog', `${bramble}/delete`, async (page) => {
    await expect(page.getByText(/[0-9]+ notes/).first()).toBeVisible();
  }),
  demo('quick-note', '/quick/note', heading(/./)),
  demo('search', '/search', heading('Search')),
  demo('search-found', '/search?q=walk', async (page) => {
    await expect(page.getByRole('list', { name: 'Entries' })).toBeVisible();
  }),
  demo('settings', '/settings', heading('Settings')),
  demo('help', '/help', heading(/./)),
  demo('delete-account', '/account/delete', heading(/./)),
];

const dogIsBeside: Prepare = async (page) => {
  await expect(page.getByRole('navigation', { name: 'Dogs' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
};

async function listShortcuts(page: Page): Promise<void> {
  await dogIsBeside(page);
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 500 });
  }).toPass();
}

const desks: readonly Scene[] = [
  demo('desk-profile', `${bramble}/profile`, dogIsBeside),
  demo('desk-pets', '/pets', dogIsBeside),
  demo('desk-note', note, dogIsBeside),
  demo('desk-edit', `${bramble}/actions/edit-details`, dogIsBeside),
  demo('desk-settings', '/settings', dogIsBeside),
  demo('desk-shortcuts', '/help', listShortcuts),
].map((scene) => ({ ...scene, isWide: true }));

export const scenes: readonly Scene[] = [
  ...strangers,
  ...newOwners,
  ...owners,
  ...desks,
  ...states,
  ...dataStates,
];
