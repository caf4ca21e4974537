import type { Locator, Page } from 'playwright/test';
import { greyJpeg, jpegFile } from '../support/fixtures/made-pictures.ts';
import { longText, oddTexts } from '../support/fixtures/odd-texts.ts';
import { expect, test, type Device } from './fixtures.ts';
import {
  expectNothingSaving,
  expectSynced,
  journal,
  newEmail,
  openWithPet,
  password,
  register,
  scrollTo,
  writeNote,
  openNote,
} from './owner.ts';

test.use({ serviceWorkers: 'block' });

// The browser logs each refused request to the console, even if the page handles it.
test.use({
  expectedErrors: /accounts:(signUp|signInWithPassword|sendOobCode)|Connecting to 'blob:/,
});

/** Taps twice in quick succession at one place; the second tap hits the element that is there by then. */
async function tapTwice(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await scrollTo(target);
  const box = await target.boundingBox();
  if (box === null) throw new Error('Nothing to tap on');
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
}

const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Counts the requests whose URL matches. */
function countRequests(device: Device, part: RegExp, method = 'POST'): () => number {
  const seen: string[] = [];
  device.context.on('request', (request) => {
    if (request.method() === method && part.test(request.url())) seen.push(request.url());
  });
  return () => seen.length;
}

async function openAction(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name }).click();
}

async function expectProfile(page: Page): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
}

test('a date of birth of which a part is missing is refused, and the date stays', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await openAction(page, 'Edit Details');
  const box = page.getByLabel('Date of Birth');
  await box.fill('2020-06-30');
  await button(page, 'Save details').click();
  await expectProfile(page);
  await openAction(page, 'Edit Details');
  await expect(box).toHaveValue('2020-06-30');
  await box.focus();
  await page.keyboard.press('Backspace');
  await expect(box).toHaveValue('');
  await button(page, 'Save details').click();
  await expect(page.getByText('Date of birth must be a day of the calendar')).toBeVisible();
  // The other parts of the date are still in the box.
  expect(await box.evaluate((date: HTMLInputElement) => date.validity.badInput)).toBe(true);
  await page.reload();
  await expect(box).toHaveValue('2020-06-30');
});

test('markup is shown as text on every page', async ({ newDevice }) => {
  const dialogs: string[] = [];
  const device = await newDevice();
  const page = await openWithPet(device, oddTexts.markup);
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    dialog.dismiss().catch(() => undefined);
  });
  for (const text of Object.values(oddTexts)) await writeNote(page, text);
  const pet = new URL(page.url()).pathname.replace('/profile', '');
  await openAction(page, 'Edit Details');
  await page.getByRole('textbox', { name: 'Description' }).fill(oddTexts.script);
  await button(page, 'Save').click();
  await expectProfile(page);

  const actions = ['set-breed', 'set-dob', 'add-note', 'share', 'edit-details'];
  const paths = ['/pets', `${pet}/profile`, `${pet}/actions`, `${pet}/delete`, '/quick/note'];
  for (const path of [...paths, ...actions.map((name) => `${pet}/actions/${name}`)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('b, img[src="x"], main script')).toHaveCount(0);
    expect(await page.title()).not.toBe('hacked');
  }
  await page.goto(`${pet}/profile`);
  await journal(page).getByText(oddTexts.script, { exact: true }).click();
  await expect(page.getByRole('article')).toContainText(oddTexts.script);
  await page.goto('/pets');
  await expect(page.getByRole('main')).toContainText(oddTexts.markup);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await page.title()).not.toBe('hacked');
  expect(dialogs).toEqual([]);
});

test('other scripts, emoji and the longest words reach the server and another tab as written', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device, oddTexts['right to left']);
  const pet = page.url();
  const longest = longText;
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  for (const text of [oddTexts.emoji, oddTexts['right to left']]) await writeNote(page, text);
  await composer.fill(longest);
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
  await expectSynced(page);
  await composer.fill(`${longest}y`);
  await composer.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('A note can have at most 10,000 characters');
  await expect(composer).toHaveValue(`${longest}y`);
  await composer.fill('');

  const other = await device.open(pet);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(oddTexts['right to left']);
  await expect(journal(other).getByRole('listitem')).toHaveCount(3);
  await expect(journal(other).getByText(oddTexts.emoji, { exact: true })).toBeVisible();
});

test('two quick taps: one account, one mail, one sign-in', async ({ newDevice }) => {
  const device = await newDevice();
  const email = newEmail();
  const signUps = countRequests(device, /accounts:signUp/);
  const signIns = countRequests(device, /accounts:signInWithPassword/);
  const mails = countRequests(device, /accounts:sendOobCode/);
  const deletions = countRequests(device, /accounts:delete/);
  const page = await device.open('/auth/register');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await tapTwice(page, button(page, 'Sign up'));
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  expect(signUps()).toBe(1);
  await expectSynced(page);

  await page.goto('/settings');
  await tapTwice(page, button(page, 'Sign Out'));
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await page.getByRole('link', { name: 'Forgot Password' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await tapTwice(page, button(page, 'Send reset link'));
  await expect(page.getByText('Password reset email sent.')).toBeVisible();
  expect(mails()).toBe(1);

  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await tapTwice(page, button(page, 'Sign in'));
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  expect(signIns()).toBe(1);

  await page.goto('/settings');
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await tapTwice(page, button(page, 'Cancel'));
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await tapTwice(page, button(page, 'Delete'));
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(deletions()).toBe(1);
});

test('two quick taps: one dog, one note, one picture, and as many steps back as one tap', async ({
  newDevice,
}) => {
  test.slow();
  const device = await newDevice();
  const uploads = countRequests(device, /\/v0\/b\/.*\?name=/);
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await tapTwice(page, page.getByRole('link', { name: 'Get started' }));
  await page.getByRole('textbox', { name: 'Pet Name' }).fill('Bramble');
  await tapTwice(page, button(page, 'Save'));
  await expectProfile(page);

  await openAction(page, 'Set Breed');
  await page.getByRole('radio', { name: 'Vizsla', exact: true }).check();
  await tapTwice(page, button(page, 'Save'));
  await expectProfile(page);
  await openAction(page, 'Set Date of Birth');
  await tapTwice(page, button(page, 'Save'));
  await expectProfile(page);
  await openAction(page, 'Edit Details');
  await page.getByRole('textbox', { name: 'Description' }).fill('Likes water');
  await tapTwice(page, button(page, 'Save'));
  await expectProfile(page);

  await openAction(page, 'Change Profile Picture');
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choose a picture').click();
  await (await chooser).setFiles(jpegFile('IMG_1.jpg', greyJpeg(400, 300)));
  await tapTwice(page, button(page, 'Save picture'));
  await expectProfile(page);
  await expectSynced(page);
  expect(uploads()).toBe(1);

  await page.getByRole('textbox', { name: 'Write a note' }).fill('once');
  await tapTwice(page, button(page, 'Send'));
  await expect(journal(page).getByText('once', { exact: true })).toHaveCount(1);
  await expectNothingSaving(page);
  await journal(page).getByText('once', { exact: true }).click();
  await button(page, 'Delete').click();
  await tapTwice(page, button(page, 'Cancel'));
  await button(page, 'Delete').click();
  await tapTwice(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
  await expectProfile(page);
  await tapTwice(page, button(page, 'Undo'));
  await expect(journal(page).getByRole('listitem')).toHaveCount(1);
  await expectSynced(page);

  await openAction(page, 'Delete Profile');
  await tapTwice(page, button(page, 'Cancel'));
  await expect(page.getByRole('list', { name: 'Actions' })).toBeVisible();
  await page.getByRole('link', { name: 'Delete Profile' }).click();
  await tapTwice(page, button(page, 'Delete'));
  await expect(page.getByRole('heading', { level: 1, name: 'My Dogs' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Get started' })).toBeVisible();
  await expectSynced(page);
});

test('back and forward in the middle of a form keep the typed text, and create nothing twice', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  const profile = page.url();
  await page.goto('/pets');
  await page.getByRole('link', { name: 'Add dog' }).click();
  const name = page.getByRole('textbox', { name: 'Pet Name' });
  await name.fill('Otter');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await page.goForward();
  await expect(name).toHaveValue('Otter');
  await button(page, 'Save').evaluate((save: HTMLButtonElement) => {
    save.click();
    history.back();
  });
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expect(page.getByRole('link', { name: /Otter/ })).toBeVisible();
  await page.goto('/pets');
  await expect(page.getByRole('link', { name: /Otter/ })).toHaveCount(1);

  await page.goto('/pets');
  await page.getByRole('link', { name: /Bramble/ }).click();
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await composer.fill('half a thought');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await page.goForward();
  await expect(composer).toHaveValue('half a thought');
  await composer.press('Enter');
  await page.goBack();
  await page.goForward();
  await expect(journal(page).getByText('half a thought', { exact: true })).toHaveCount(1);
  await expect(composer).toHaveValue('');
  await page.goto(profile);
  await expect(journal(page).getByRole('listitem')).toHaveCount(1);

  await openAction(page, 'Edit Details');
  await page.getByRole('textbox', { name: 'Description' }).fill('Likes water');
  await page.goBack();
  await expect(page.getByRole('list', { name: 'Actions' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Likes water');
  await button(page, 'Save').click();
  await expectProfile(page);
  await expectSynced(page);
});

test('every page of another owner’s dog says that it is not on this device', async ({
  newDevice,
}) => {
  const theirs = await openWithPet(await newDevice(), 'Secretdog');
  await writeNote(theirs, 'a secret place');
  await expectSynced(theirs);
  const pet = new URL(theirs.url()).pathname.replace('/profile', '');
  await openNote(theirs, 'a secret place');
  await expect(theirs).toHaveURL(/\/notes\//);
  const note = new URL(theirs.url()).pathname;

  const mine = await openWithPet(await newDevice(), 'Otter');
  await expectSynced(mine);
  const actions = ['set-breed', 'set-dob', 'change-profile-picture', 'add-note', 'share'];
  const paths = ['profile', 'actions', 'delete', 'actions/edit-details'].map(
    (path) => `${pet}/${path}`,
  );
  paths.push(...actions.map((name) => `${pet}/actions/${name}`));
  for (const path of [...paths, note, `${note}/action/edit`]) {
    await mine.goto(path);
    await expect(mine.getByText('This dog is not on this device'), path).toBeVisible();
    await expect(mine.getByRole('main').getByRole('textbox'), path).toHaveCount(0);
  }
  await mine.goto(pet);
  await expect(mine.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expect(mine.locator('body')).not.toContainText(/Secretdog|a secret place/);
  await expectSynced(mine);
});
