import type { Page } from 'playwright/test';
import { expect, test, type SharedBackend } from './fixtures.ts';
import {
  addPet,
  createAccount,
  expectSynced,
  newEmail,
  register,
  status,
  submitSignIn,
} from './owner.ts';

test.use({ serviceWorkers: 'block' });

const newPassword = 'Longer-walks-5';

// The browser logs each refused request to the console, even if the page handles it.
test.use({
  expectedErrors: /accounts:(signInWithPassword|resetPassword|lookup)|\/v1\/token|\b401\b/,
});

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('status')).toHaveText('Password reset email sent.');
}

async function linkSentTo(backend: SharedBackend, email: string): Promise<string> {
  await expect.poll(async () => (await backend.mailsTo(email)).length).toBeGreaterThan(0);
  const link = /^http\S+$/m.exec((await backend.mailsTo(email)).at(-1) ?? '')?.[0] ?? '';
  expect(link).toContain(`${backend.url}/auth/set-new-password?`);
  return link;
}

async function setPassword(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByLabel('Confirm Password').fill(secret);
  await page.getByRole('button', { name: 'Set password' }).click();
}

test('a forgotten password: the form has the e-mail already, and the mailed link sets a new password once', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  await createAccount(backend, email);

  const page = await (await newDevice()).open('/auth/login');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('link', { name: 'Forgot Password' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
  await askForLink(page, email);

  const link = await linkSentTo(backend, email);
  await page.goto(link);
  await setPassword(page, 'simple');
  await expect(page.getByText('Must be at least 6 characters and include')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await setPassword(page, newPassword);
  await expect(page.getByRole('status')).toContainText('Your new password is set.');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await submitSignIn(page, email);
  await expect(page.getByRole('alert')).toHaveText(
    'This email and password do not belong together.',
  );
  await submitSignIn(page, email, newPassword);
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();

  await page.goto(link);
  await setPassword(page, newPassword);
  await expect(page.getByRole('alert')).toHaveText(
    'This link has been used or is too old. Ask for a new one.',
  );
});

test('an unknown address gets the same answer, and no mail', async ({ backend, newDevice }) => {
  const email = newEmail();
  const page = await (await newDevice()).open('/auth/reset-password');
  await askForLink(page, email);
  expect(await backend.mailsTo(email)).toEqual([]);
});

test('a link without its code says so, and leads to a new one', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/set-new-password');
  await expect(page.getByRole('alert')).toHaveText('Invalid or missing reset code');
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
});

test('a signed-in owner can set a new password too, and keeps the data on the device', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await askForLink(await (await newDevice()).open('/auth/reset-password'), email);

  await page.goto(await linkSentTo(backend, email));
  await setPassword(page, newPassword);
  await expect(page.getByRole('status')).toContainText('Your new password is set.');
  // The server has revoked every earlier sign-in, including this one.
  await page.goto('/pets');
  await expect(page.getByRole('link', { name: /Bramble/ })).toBeVisible();
  await expect(status(page)).toHaveText('Sign in again to sync');
  await page.getByRole('button', { name: /Sign in again to sync/ }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await submitSignIn(page, email, newPassword);
  await expect(page.getByRole('link', { name: /Bramble/ })).toBeVisible();
  await expectSynced(page);
});
