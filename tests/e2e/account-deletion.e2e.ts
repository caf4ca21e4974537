import type { Page } from 'playwright/test';
import { expect, ownBackendTest, test } from './fixtures.ts';
import {
  addPet,
  createAccount,
  expectSynced,
  goOffline,
  newEmail,
  news,
  openSyncedPet,
  openWithPet,
  register,
  signIn,
  status,
  submitSignIn,
  writeNote,
} from './owner.ts';
import { clearSignIn, storedOnDevice } from './stored-on-device.ts';

// The browser logs each refused request to the console, even if the page handles it. A device that is back online may
// sync before it learns that its account is gone: the server refuses that with a 401, and then the renewal of the ID
// token with a 400.
test.use({
  expectedErrors:
    /accounts:(signInWithPassword|delete|lookup)|401 \(Unauthorized\) \S+\/documents:(batchGet|commit)|400 .*\/v1\/token/,
});

async function openDeletion(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('link', { name: 'Delete Account' }).click();
  await expect(page.getByRole('alertdialog', { name: 'Delete Account' })).toBeVisible();
}

function pressDelete(page: Page): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: 'Delete Account' });
  return dialog.getByRole('button', { name: 'Delete' }).click();
}

async function expectNothingOf(page: Page, email: string): Promise<void> {
  // An open database cannot be deleted, so the test first waits until the record of the erasure is gone.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage)))
    .not.toContainEqual(expect.stringMatching(/^pawpals:erasing/));
  expect(await storedOnDevice(page)).not.toMatch(
    new RegExp(`Bramble|buried a bone|pawpals:|pawpals-|${email}`),
  );
}

test('deletes the account, and wipes the device', async ({ newDevice }) => {
  const email = newEmail();
  const page = await (await newDevice()).open('/auth/register');
  await register(page, email);
  await addPet(page, 'Bramble');
  await writeNote(page, 'buried a bone');
  await expectSynced(page);
  const stored = await storedOnDevice(page);
  for (const text of ['Bramble', 'buried a bone', email]) expect(stored).toContain(text);

  await openDeletion(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();

  await page.getByRole('link', { name: 'Delete Account' }).click();
  await pressDelete(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(news(page)).toHaveText('Your account is deleted, with everything in it.');
  await expectNothingOf(page, email);

  await submitSignIn(page, email);
  const refusal = page.getByRole('main').getByRole('alert');
  await expect(refusal).toHaveText('This email and password do not belong together.');
});

test('a tab that is killed before the answer leaves nothing on the device', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openSyncedPet(device, email);
  await openDeletion(page);
  let isDeleted = false;
  await page.route(/accounts:delete/, async (route) => {
    await route.fetch();
    isDeleted = true;
  });
  await pressDelete(page);
  await expect.poll(() => isDeleted).toBe(true);
  await page.close();

  const next = await device.open('/pets');
  await expect(next.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectNothingOf(next, email);
});

ownBackendTest(
  'an old sign-in has to reauthenticate first, and is led back',
  async ({ ownBackend, newDevice }) => {
    await ownBackend.kill();
    await ownBackend.restart(['--recent-login-seconds', '0']);
    const email = newEmail();
    const device = await newDevice();
    const page = await device.open('/auth/register');
    await register(page, email);
    const signedInAtS = Math.ceil(Date.now() / 1_000);
    await addPet(page, 'Bramble');
    await expectSynced(page);
    await openDeletion(page);
    await expect.poll(() => Date.now() / 1_000).toBeGreaterThan(signedInAtS + 1);
    await pressDelete(page);

    const question = page.getByRole('alertdialog', { name: 'Reauthenticate' });
    await expect(question).toContainText('Nothing was deleted');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible();
    // Nothing was deleted, and sync goes on: only sync reports the connection.
    await goOffline(page);
    await expect(status(page)).toHaveText('Offline');
    await device.context.setOffline(false);
    await expectSynced(page);
    await page.getByRole('link', { name: 'Delete Account' }).click();
    await pressDelete(page);
    await question.getByRole('button', { name: 'Reauthenticate' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expectNothingOf(page, email);

    await ownBackend.kill();
    await ownBackend.restart();
    await submitSignIn(page, email);
    await pressDelete(page);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expectNothingOf(page, email);
  },
);

test('on another device, unsent work is asked about, and then nothing of the account stays', async ({
  backend,
  newDevice,
}) => {
  test.slow();
  const [email, other] = [newEmail(), newEmail()];
  await createAccount(backend, other);
  const device = await newDevice();
  const page = await openWithPet(device, 'Bramble', email);
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'buried a bone');
  const second = await (await newDevice()).open('/auth/login');
  await signIn(second, email);
  await openDeletion(second);
  await pressDelete(second);
  await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible();

  await device.context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: /Sign in again to sync/ }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await submitSignIn(page, other);
  await expect(page.getByRole('alert')).toContainText('unsent work of another account');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Discard and sign out' }).click();
  await page.getByRole('button', { name: 'Really discard and sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expectNothingOf(page, email);
});

test('offline, the page says that it needs a connection, and deletes nothing', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openWithPet(device, 'Bramble', email);
  await expectSynced(page);
  await goOffline(page);
  await openDeletion(page);
  const dialog = page.getByRole('alertdialog', { name: 'Delete Account' });
  await expect(dialog).toContainText('Deleting your account needs a connection.');
  await pressDelete(page);
  await expect(dialog).toContainText('There was no answer');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/pets');
  await expect(page.getByRole('link', { name: /Bramble/ })).toBeVisible();

  await device.context.setOffline(false);
  await signIn(await (await newDevice()).open('/auth/login'), email);
});

test('without a valid sign-in, the page says that no user is signed in', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await clearSignIn(page);
  await openDeletion(page);
  await pressDelete(page);
  const question = page.getByRole('alertdialog', { name: 'Reauthenticate' });
  await expect(question.getByRole('alert')).toHaveText('No user is signed in.');
});
