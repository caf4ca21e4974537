import { faultsOf } from './faults.ts';
import { expect, test, type Device } from './fixtures.ts';
import { failedInstallation, limitRoom } from './full-device.ts';
import {
  composer,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  news,
  openPet,
  openOnSecondDevice,
  openSyncedPet,
  openWithPet,
  submitSignIn,
  writeNote,
} from './owner.ts';

test.use({ isFirstVisit: true, expectedErrors: failedInstallation });

const notStored =
  'This could not be stored on your device, so it was not saved. Free some space and try again.';

async function expectOnSecondDevice(device: Device, email: string, texts: readonly string[]) {
  const page = await openOnSecondDevice(device, email);
  await expect(journal(page).getByText(/^note /)).toHaveText([...texts]);
}

test('the device is full: a note is refused with a sentence, stays in the box, and is kept later', async ({
  backend,
  newDevice,
}) => {
  test.slow();
  const email = newEmail();
  const device = await newDevice();
  const room = await limitRoom(device.context, backend.url);
  const page = await openSyncedPet(device, email);
  await writeNote(page, 'note 1');
  await expectSynced(page);
  await device.context.setOffline(true);
  await room.fill(page);

  await composer(page).fill('note 2');
  await composer(page).press('Enter');
  await expect(page.getByText(notStored)).toBeVisible();
  await expect(composer(page)).toHaveValue('note 2');
  await expect(journal(page).getByText(/^note /)).toHaveText(['note 1']);
  await page.reload();
  await expect(journal(page).getByText(/^note /)).toHaveText(['note 1']);
  await expect(composer(page)).toHaveValue('note 2');

  await room.empty(page);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('');
  await expect(journal(page).getByText(/^note /)).toHaveText(['note 1', 'note 2']);
  await expectNothingSaving(page);
  await device.context.setOffline(false);
  await expectSynced(page);
  await expectOnSecondDevice(await newDevice(), email, ['note 1', 'note 2']);
});

test('the device is full from the start: nobody is signed in to a journal that cannot be kept', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  await openWithPet(await newDevice(), 'Bramble', email);
  const device = await newDevice();
  await limitRoom(device.context, backend.url, 1);
  const page = await device.open('/auth/login');
  await submitSignIn(page, email);
  await expect(page.getByRole('alert')).toContainText(
    /could not be opened on this device.*free some space/,
  );
});

function refuseIndexedDb(): void {
  IDBFactory.prototype.open = () => {
    throw new DOMException('refused', 'SecurityError');
  };
}

test('the browser refuses its databases: the page says so, and loses nothing', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openSyncedPet(device, newEmail());
  await writeNote(page, 'note 1');
  await expectNothingSaving(page);

  const refused = await device.context.newPage();
  await refused.addInitScript(refuseIndexedDb);
  await refused.goto(page.url());
  await expect(refused.getByRole('alert')).toContainText(
    'Your journal could not be read on this device. PawPals has deleted nothing',
  );
  await expect(refused.getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(await faultsOf(refused)).toEqual([]);
  await page.reload();
  await expect(journal(page).getByText('note 1')).toBeVisible();
});

test('a browser without databases: a sign-in says what is missing, and leaves nobody signed in', async ({
  newDevice,
}) => {
  const email = newEmail();
  await openWithPet(await newDevice(), 'Bramble', email);
  const device = await newDevice();
  await device.context.addInitScript(refuseIndexedDb);
  const page = await device.open('/auth/login');
  await submitSignIn(page, email);
  await expect(page.getByRole('alert')).toContainText('Let the browser store data for this page');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

test('the databases go while the page is open: it says so, keeps the text, and gets the journal back', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openSyncedPet(device, email);
  await writeNote(page, 'note 1');
  await expectSynced(page);
  await composer(page).fill('note 2');
  await goOffline(page);
  const session = await device.context.newCDPSession(page);
  const data = { origin: backend.url, storageTypes: 'indexeddb' };
  await session.send('Storage.clearDataForOrigin', data);

  await expect(news(page)).toContainText('What was stored on this device is gone.');
  // The sign-in was stored in IndexedDB too. Until it looks there, the SDK of this page still has it.
  await page.reload();
  await device.context.setOffline(false);
  await expect(news(page)).toContainText('Sign in again, and your journal is fetched.');
  await page.getByRole('button', { name: /Sync details/ }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await submitSignIn(page, email);
  // The toast covers the first dog.
  const isBack = news(page).filter({ hasText: 'Your journal is back.' });
  await isBack.getByRole('button', { name: 'Dismiss' }).click();
  await openPet(page, 'Bramble');
  await expect(journal(page).getByText('note 1')).toBeVisible();
  await expect(composer(page)).toHaveValue('note 2');
});
