import { storedOfOwner } from '../support/stored-of-owner.ts';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  createAccount,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  password,
  register,
  signIn,
  status,
  submitSignIn,
  writeNote,
} from './owner.ts';
import { clearSignIn } from './stored-on-device.ts';

// The browser logs each refused request to the console, even if the page handles it.
test.use({ expectedErrors: /accounts:(signInWithPassword|signUp)/ });

test('forms say what is wrong, field by field', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign up' }).click();
  for (const sentence of [
    'Email is required',
    'Password is required',
    'Please confirm your password',
  ]) {
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }
  await page.getByRole('textbox', { name: 'Email' }).fill('a@example.com');
  await page.getByLabel('Password', { exact: true }).fill('simple');
  await page.getByLabel('Confirm Password').fill('other');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Must be at least 6 characters and include')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Passwords do not match', { exact: true })).toBeVisible();
});

test('a wrong password, an unknown e-mail and a duplicate one get a sentence', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  await createAccount(backend, email);

  const page = await (await newDevice()).open('/auth/login');
  const refusal = page.getByText('This email and password do not belong together.');
  await submitSignIn(page, email, 'Wrong-one-1');
  await expect(refusal).toBeVisible();
  await page.reload();
  await submitSignIn(page, newEmail());
  await expect(refusal).toBeVisible();

  await page.goto('/auth/register');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  const taken = page.getByText('There is an account with this email already.');
  await expect(taken).toBeVisible();
  await page.setViewportSize({ width: 320, height: 360 });
  const submit = page.getByRole('button', { name: 'Sign up' });
  await submit.scrollIntoViewIfNeeded();
  await expect(taken).not.toBeInViewport();
  await submit.press('Enter');
  await expect(taken).toBeInViewport({ ratio: 1 });
});

test('signing in needs a connection, and says so', async ({ newDevice }) => {
  const device = await newDevice();
  const page = await device.open('/auth/login');
  await goOffline(page);
  await page.reload();
  await submitSignIn(page, 'a@example.com');
  await expect(page.getByText('Signing in needs a connection')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('a@example.com');
});

test('protected pages ask to sign in and open afterwards; unknown paths lead home', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  await createAccount(backend, email);

  const page = await (await newDevice()).open('/pets/new');
  await expect(page).toHaveURL(/\/auth\/login$/);
  await submitSignIn(page, email);
  await expect(page).toHaveURL(/\/pets\/new$/);
  await page.goto('/auth/login');
  await expect(page).toHaveURL(/\/pets$/);
  await page.goto('/no/such/page');
  await expect(page).toHaveURL(/\/pets$/);
});

test('signing out asks for unsent work first, then leaves nothing on the device', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  const profile = page.url();
  await goOffline(page);
  await writeNote(page, 'not sent yet');

  await page.goto('/pets');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Not everything is sent');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(profile);
  await expect(journal(page).getByText('not sent yet')).toBeVisible();

  await device.context.setOffline(false);
  await expectSynced(page);
  expect((await storedOfOwner(page)).length).toBeGreaterThan(3);
  await page.goto('/pets');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => storedOfOwner(page)).toEqual([]);

  await goOffline(page);
  await page.goto(profile);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Bramble')).toHaveCount(0);
});

test('after a lost sign-in nothing else is lost, and signing in again syncs', async ({
  newDevice,
}) => {
  const email = newEmail();
  const page = await (await newDevice()).open('/auth/register');
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await clearSignIn(page);
  await page.reload();
  await expect(status(page)).toHaveText('Sign in again to sync');
  await writeNote(page, 'written meanwhile');

  await page.getByRole('button', { name: /Sign in again to sync/ }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await submitSignIn(page, email);
  await expect(page.getByRole('link', { name: /Bramble/ })).toBeVisible();
  await expectSynced(page);
  await page.getByRole('link', { name: /Bramble/ }).click();
  await expect(journal(page).getByText('written meanwhile')).toHaveCount(1);
});

test('another owner can sign in on the same page, and syncs', async ({ backend, newDevice }) => {
  const other = newEmail();
  await createAccount(backend, other);
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await submitSignIn(page, other);
  await expect(page.getByRole('link', { name: 'Get started' })).toBeVisible();
  await expect(page.getByText('Bramble')).toHaveCount(0);
  await page.getByRole('link', { name: 'Get started' }).click();
  await page.getByRole('textbox', { name: 'Pet Name' }).fill('Moss');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Moss' })).toBeVisible();
  await expectSynced(page);
});

test('a tab follows when another one signs out', async ({ newDevice }) => {
  const device = await newDevice();
  const first = await device.open('/auth/register');
  await register(first, newEmail());
  await addPet(first, 'Bramble');
  await expectSynced(first);
  const second = await device.open('/pets');
  await expect(second.getByRole('link', { name: /Bramble/ })).toBeVisible();

  await first.goto('/pets');
  await first.getByRole('button', { name: 'Menu' }).click();
  await first.getByRole('button', { name: 'Sign Out' }).click();
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(second.getByText('Bramble')).toHaveCount(0);
});

test('without "Keep me signed in" the sign-in ends with the browser session', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  await createAccount(backend, email);

  const device = await newDevice();
  const page = await device.open('/auth/login');
  await page.getByRole('checkbox', { name: 'Keep me signed in' }).uncheck();
  await submitSignIn(page, email);
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  // A new tab is a new session, as after the browser was closed.
  const later = await device.open('/pets');
  await expect(later.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a draft survives a reload and is gone once sent', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await composer.fill('half a thought');
  await page.reload();
  await expect(composer).toHaveValue('half a thought');
  await composer.press('Enter');
  await expect(composer).toHaveValue('');
  await expect(journal(page).getByText('half a thought')).toBeVisible();
  await page.reload();
  await expect(composer).toHaveValue('');
});

test('a reload right after Enter: the note is in the journal or back in the box', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  for (let round = 1; round <= 5; round += 1) {
    await composer.fill(`thought ${round}`);
    // Both calls run in one task of the page, so that the reload begins before the write can end.
    await composer.evaluate((box) => {
      box.closest('form')?.requestSubmit();
      location.reload();
    });
    await page.waitForLoadState();
    const kept = journal(page).getByText(`thought ${round}`, { exact: true });
    await expect(composer).toBeVisible();
    await expect(async () => {
      const isInBox = (await composer.inputValue()) === `thought ${round}`;
      expect(isInBox || (await kept.count()) === 1).toBe(true);
    }).toPass();
    if ((await composer.inputValue()) !== '') await composer.press('Enter');
    await expect(kept).toHaveCount(1);
    await expectNothingSaving(page);
  }
});

test('a second device finds what the first one wrote', async ({ newDevice }) => {
  const email = newEmail();
  const first = await (await newDevice()).open('/auth/register');
  await register(first, email);
  await expect(first.getByRole('link', { name: 'Get started' })).toBeVisible();
  await first.getByRole('link', { name: 'Get started' }).click();
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(first.getByText('Pet name is required', { exact: true })).toBeVisible();
  await first.getByRole('textbox', { name: 'Pet Name' }).fill('  Moss ');
  await first.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(first.getByRole('heading', { name: 'Moss' })).toBeVisible();
  await expectSynced(first);

  const second = await (await newDevice()).open('/auth/login');
  await signIn(second, email);
  await expect(second.getByRole('link', { name: /Moss/ })).toBeVisible();
});
